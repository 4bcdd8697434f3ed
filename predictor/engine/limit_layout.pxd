cimport cython


@cython.final
cdef class LimitLayout:
    cdef readonly object tables, rules
    cdef readonly Py_ssize_t words, resources, price, classes, spreads
    cdef readonly long long opened_at, counted_s, counts_every_s
    cdef readonly bint safe, spends
    cdef readonly double unit
    cdef readonly unsigned long long[::1] members, named
    cdef readonly long long[::1] forms
    cdef readonly long long[::1] held_start, held_resource, ahead_start, ahead_resource
    cdef readonly long long[::1] spent_start, spent_resource, spread
    cdef readonly double[::1] half_life
    cdef readonly long long[::1] group_start, group, rule_start
    cdef readonly double[::1] held_weight, asked_weight
    cdef readonly long long[::1] rule_kind, rule_resource, rule_meter, rule_plan, rule_delays
    cdef readonly long long[::1] rule_forgotten
    cdef readonly double[::1] rule_cap
    cdef readonly long long[::1] binding, form, least_nodes, too_wide, least_class, limit
    cdef readonly long long[::1] extra_start, extra_resource, extra_amount
    cdef readonly long long[::1] least_cpus, by_cpu_start, by_cpu_resource, by_cpu_amount
    cdef readonly long long[::1] tariff, price_start, price_resource, price_added
    cdef readonly double[::1] price_weight

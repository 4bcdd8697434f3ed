cimport cython
from predictor.engine cimport bits, sets


@cython.final
cdef class Layout:
    cdef readonly Py_ssize_t nodes, bits, words, classes, resources, shapes, kinds, pools, fields
    cdef readonly Py_ssize_t gres_first, gres_end
    cdef readonly Py_ssize_t calendars, reservations, switches
    cdef readonly bint exact, owned, owners, doze, boots, draws
    cdef readonly bint switches_count_cpus, switches_count_down
    cdef readonly long long wakes_per_minute
    cdef readonly Py_ssize_t sleepless
    cdef readonly long long[::1] boot_s, dozes_s, sleepless_count
    cdef readonly unsigned long long[::1] sleepless_nodes
    cdef readonly long long[::1] node_class, cpus, cpus_before, depth, weight, capacity, amounts
    cdef readonly long long[::1] user, host, alone, shares, yields, sleeps_after_s, idle_since
    cdef readonly long long[::1] licenses
    cdef readonly long long[::1] shape, pinned, takes_whole, required_count, reservation
    cdef readonly long long[::1] contiguous, allocation
    cdef readonly long long[::1] order, orders, draw, drawn, draws_by_piece
    cdef readonly Py_ssize_t spreads, largest
    cdef readonly long long deepest
    cdef readonly long long[::1] spread, portion_least, portion_step, portion_each, cpus_each, portion_pieces, portion_task
    cdef readonly long long[::1] portion_unit, nodes_least, nodes_wanted, nodes_most, doubtful
    cdef readonly long long[::1] whole, loose, scatters, widest_first, weakest_singly, width_cpus
    cdef readonly unsigned long long[::1] width_nodes
    cdef readonly Py_ssize_t widths
    cdef readonly long long[::1] first_word, end_word, even, trimmed, field
    cdef readonly long long[::1] unit, memory_each, quota
    cdef readonly long long[::1] license_start, license_pool, license_amount, kept_licenses
    cdef readonly bint keeps_licenses
    cdef readonly long long[::1] group_start, group_least, group_kind, quota_start, quota_least
    cdef readonly long long[::1] switches_max, switch_above, switch_leaf, switch_depth, switch_height
    cdef readonly unsigned long long[::1] group_nodes, quota_nodes, switch_nodes
    cdef readonly long long[::1] known_at, era_start, era_at, era_only_begins, cleared_since, cleared_until
    cdef readonly unsigned long long[::1] cleared_nodes
    cdef readonly bint plans_by_weight
    cdef readonly Py_ssize_t weights
    cdef readonly unsigned long long[::1] usable, asleep, gaps, breaks, fits_empty, up_to_weight
    cdef readonly unsigned long long[::1] candidates, required, members, open_nodes, kept_nodes
    cdef readonly unsigned long long[::1] shut_nodes, early_nodes
    cdef readonly unsigned long long[::1] field_nodes
    cdef readonly Py_ssize_t makes
    cdef readonly long long[::1] make, word_make

    @cython.locals(spread=Py_ssize_t)
    cdef Py_ssize_t nodes_asked(self, Py_ssize_t kind, Py_ssize_t size) noexcept nogil
    @cython.locals(spread=Py_ssize_t)
    cdef Py_ssize_t nodes_needed(self, Py_ssize_t kind, Py_ssize_t size) noexcept nogil
    @cython.locals(w=Py_ssize_t, found=Py_ssize_t)
    cdef Py_ssize_t count_outside(
        self, unsigned long long[::1] rows, Py_ssize_t offset, unsigned long long[::1] closed
    ) noexcept nogil
    cdef bint has_reservations(self, Py_ssize_t calendar, long long at) noexcept nogil
    @cython.locals(required=Py_ssize_t, kept=Py_ssize_t, shut=Py_ssize_t)
    cdef bint is_shut(self, Py_ssize_t kind, Py_ssize_t era) noexcept nogil
    @cython.locals(one=cython.ulonglong, w=Py_ssize_t)
    cdef bint is_gap(self, Py_ssize_t node) noexcept nogil
    cdef bint has_licenses(self, Py_ssize_t kind) noexcept nogil
    cdef bint owns(self, Py_ssize_t shape) noexcept nogil
    @cython.locals(one=cython.ulonglong, w=Py_ssize_t, length=Py_ssize_t, node=Py_ssize_t)
    cdef Py_ssize_t run_of(self, unsigned long long[::1] row, Py_ssize_t size) noexcept nogil
    @cython.locals(e=Py_ssize_t)
    cdef Py_ssize_t era(self, Py_ssize_t calendar, long long at) noexcept nogil
    @cython.locals(found=cython.longlong, e=Py_ssize_t, known_at=cython.longlong)
    cdef long long edge_after(self, Py_ssize_t calendar, long long at) noexcept nogil
    @cython.locals(e=Py_ssize_t, row=Py_ssize_t, found=Py_ssize_t, w=Py_ssize_t)
    cdef long long closes_at(
        self, Py_ssize_t calendar, Py_ssize_t reservation, long long at
    ) noexcept nogil

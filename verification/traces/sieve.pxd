cimport cython

cdef long long MOST_SECONDS


@cython.final
cdef class Sieve:
    cdef readonly long long[::1] numbers
    cdef readonly long long[::1] submits
    cdef readonly long long[::1] runs
    cdef readonly long long[::1] procs
    cdef readonly long long[::1] limits
    cdef readonly Py_ssize_t kept
    cdef readonly Py_ssize_t incomplete
    cdef readonly Py_ssize_t too_wide
    cdef readonly bint ordered
    cdef readonly long long seconds

    @cython.locals(row="Py_ssize_t", procs="long long", first="long long",
                   last="long long", latest="long long")
    cpdef void shake(
        self,
        const long long[::1] numbers,
        const long long[::1] submits,
        const long long[::1] runs,
        const long long[::1] allocated,
        const long long[::1] requested,
        const long long[::1] limits,
        long long machine,
    ) noexcept

cimport cython


@cython.final
cdef class Profile:
    cdef long long[::1] instants
    cdef long long[::1] frees
    cdef Py_ssize_t steps

    @cython.locals(over="Py_ssize_t")
    cpdef void forget_before(self, long long now) noexcept

    @cython.locals(start_at="long long", step="Py_ssize_t")
    cpdef long long earliest(
        self, long long now, long long procs, long long duration_s, long long known_at
    ) noexcept

    @cython.locals(first="Py_ssize_t", last="Py_ssize_t", step="Py_ssize_t")
    cpdef void add(self, long long start_at, long long end_at, long long procs) noexcept

    @cython.locals(low="Py_ssize_t", high="Py_ssize_t", middle="Py_ssize_t", step="Py_ssize_t")
    cdef Py_ssize_t _step_from(self, long long at) noexcept

    cdef void _join(self, Py_ssize_t step) noexcept

    @cython.locals(step="Py_ssize_t")
    cdef void _remove(self, Py_ssize_t first, Py_ssize_t count) noexcept

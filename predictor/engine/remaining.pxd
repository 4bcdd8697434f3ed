cimport cython


@cython.final
cdef class Remaining:
    cdef readonly Py_ssize_t meters
    cdef readonly double[::1] rate, end, left
    cdef readonly long long counted_s, every_s, due_s

    cdef void add(
        self, Py_ssize_t meter, double rate, long long started_s, long long ends_s
    ) noexcept nogil
    @cython.locals(meter=Py_ssize_t)
    cdef void move_to(self, long long at_s) noexcept nogil

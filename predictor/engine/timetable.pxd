cimport cython


@cython.final
cdef class Timetable:
    cdef readonly long long period_s
    cdef readonly Py_ssize_t told
    cdef readonly long long[::1] told_at

    cdef long long after(self, long long at) noexcept nogil

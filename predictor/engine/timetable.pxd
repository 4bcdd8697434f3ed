cimport cython


@cython.final
cdef class Timetable:
    cdef readonly long long period_s, late_s
    cdef readonly Py_ssize_t told
    cdef readonly bint told_holds
    cdef readonly long long[::1] told_at

    cdef long long put_off(self, long long at, long long until) noexcept nogil
    cdef long long after(self, long long at) noexcept nogil

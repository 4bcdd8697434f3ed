cimport cython


@cython.final
cdef class Announcements:
    cdef readonly long long[::1] earliest

    cdef void tell(self, Py_ssize_t record, long long start) noexcept nogil

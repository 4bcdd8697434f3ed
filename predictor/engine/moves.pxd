# What stands for `moves` in compiled modules.

from libc.string cimport memmove


cdef inline void shift(
    long long[::1] values, Py_ssize_t source, Py_ssize_t target, Py_ssize_t count
) noexcept nogil:
    if count > 0:
        memmove(&values[target], &values[source], count * sizeof(long long))

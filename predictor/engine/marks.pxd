cimport cython


@cython.final
cdef class Marks:
    cdef readonly Py_ssize_t fields, words
    cdef readonly unsigned long long ones
    cdef readonly unsigned long long[::1] marked

    cdef void grow(self, Py_ssize_t places) noexcept with gil
    @cython.locals(w=Py_ssize_t)
    cdef void clear(self) noexcept nogil
    @cython.locals(
        first=Py_ssize_t, bit=Py_ssize_t, last=Py_ssize_t, field=Py_ssize_t, base=Py_ssize_t,
        w=Py_ssize_t, word=cython.ulonglong, behind=cython.ulonglong,
    )
    cdef void cut(self, Py_ssize_t place, Py_ssize_t count) noexcept nogil
    @cython.locals(w=Py_ssize_t, bit=Py_ssize_t, one=cython.ulonglong)
    cdef void put(self, Py_ssize_t field, Py_ssize_t place, bint marked) noexcept nogil

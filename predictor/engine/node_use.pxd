cimport cython

from predictor.engine cimport bits


@cython.final
cdef class NodeUse:
    cdef readonly Py_ssize_t words, height, reached
    cdef readonly unsigned long long[::1] planes, used
    cdef readonly long long[::1] different

    @cython.locals(count=cython.longlong, w=cython.Py_ssize_t)
    cpdef long long new(self, Py_ssize_t group, unsigned long long[::1] nodes) noexcept nogil
    @cython.locals(count=cython.longlong, w=cython.Py_ssize_t)
    cdef long long known(self, Py_ssize_t group, unsigned long long[::1] nodes) noexcept nogil
    @cython.locals(w=cython.Py_ssize_t)
    cdef void add_used(self, Py_ssize_t group, unsigned long long[::1] nodes) noexcept nogil
    @cython.locals(w=cython.Py_ssize_t, place=cython.Py_ssize_t, word=cython.ulonglong)
    cpdef void change(
        self, Py_ssize_t group, unsigned long long[::1] nodes, Py_ssize_t offset, long long sign
    ) noexcept nogil
    @cython.locals(k=cython.Py_ssize_t, carry=cython.ulonglong, plane=cython.ulonglong)
    cdef void _enter(self, Py_ssize_t place, unsigned long long word) noexcept nogil
    @cython.locals(
        k=cython.Py_ssize_t, borrow=cython.ulonglong, used=cython.ulonglong, plane=cython.ulonglong
    )
    cdef void _leave(self, Py_ssize_t place, unsigned long long word) noexcept nogil

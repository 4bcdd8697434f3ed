cimport cython
from predictor.engine cimport codes
from predictor.engine.present cimport Present


@cython.final
cdef class Filling:
    cdef readonly Present present
    cdef readonly long long filling, chosen, best, most
    cdef readonly Py_ssize_t count, ables
    cdef readonly long long[::1] cpus, largest, waits, jobs, able

    cdef void clear(self) noexcept nogil
    cdef void add(self, Py_ssize_t job) noexcept nogil
    cdef void sort(self) noexcept nogil
    @cython.locals(found=Py_ssize_t, i=Py_ssize_t, job=Py_ssize_t)
    cdef void _sort_by_cpus(self) noexcept nogil
    @cython.locals(i=Py_ssize_t)
    cdef void _mark(self) noexcept nogil
    @cython.locals(left=cython.longlong, i=Py_ssize_t)
    cdef void _sort_by_sum(self) noexcept nogil
    @cython.locals(i=Py_ssize_t)
    cdef void _find_able(self) noexcept nogil
    @cython.locals(job=Py_ssize_t, size=cython.longlong, record=Py_ssize_t)
    cdef void _try(self, Py_ssize_t place, long long taken, long long left) noexcept nogil
    @cython.locals(front=Py_ssize_t, i=Py_ssize_t, j=Py_ssize_t, job=Py_ssize_t)
    cdef void _put_first(self) noexcept nogil

cimport cython
from predictor.engine cimport codes
from predictor.engine.placer cimport Placer
from predictor.engine.queue cimport Queue


@cython.final
cdef class Caps:
    cdef readonly Queue queue
    cdef readonly long long looks_max
    cdef readonly long long association_max, user_max, partition_max, both_max, array_max
    cdef readonly Py_ssize_t counted_count, last_array, last_partition, of_last
    cdef readonly bint caps, carried, passes_over, tasks_bounded
    cdef readonly long long[::1] counted, of_user, of_association, of_partition, of_both, tasks

    @cython.locals(i=Py_ssize_t)
    cdef void clear(self) noexcept nogil
    @cython.locals(
        job=Py_ssize_t, partition=Py_ssize_t, user=Py_ssize_t, both=Py_ssize_t,
        association=Py_ssize_t,
    )
    cdef bint allow(self, Py_ssize_t record) noexcept nogil
    cdef void count(self, Py_ssize_t record) noexcept nogil
    @cython.locals(job=Py_ssize_t, partition=Py_ssize_t, user=Py_ssize_t)
    cdef void _add(self, Py_ssize_t record, Py_ssize_t change) noexcept nogil
    @cython.locals(
        length=Py_ssize_t, end=Py_ssize_t, looked=cython.longlong, record=Py_ssize_t,
    )
    cdef Py_ssize_t reach(self, long long now) noexcept nogil
    @cython.locals(
        job=Py_ssize_t, partition=Py_ssize_t, array=Py_ssize_t, lane=Py_ssize_t,
        running=cython.longlong,
    )
    cdef bint ends_array(self, Py_ssize_t record) noexcept nogil
    @cython.locals(waiting=Py_ssize_t, job=Py_ssize_t)
    cdef Py_ssize_t _waiting(self, Py_ssize_t array) noexcept nogil

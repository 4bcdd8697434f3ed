cimport cython
from predictor.engine cimport codes
from predictor.engine.groups cimport Groups
from predictor.engine.heap cimport Heap
from predictor.engine.held cimport Held
from predictor.engine.overdue cimport Overdue
from predictor.engine.placer cimport Placer
from predictor.engine.queue cimport Queue
from predictor.engine.roster cimport Roster


@cython.final
cdef class PlannedEnds:
    cdef readonly Placer placer
    cdef readonly Queue queue
    cdef readonly Held held
    cdef readonly Overdue overdue
    cdef readonly Roster roster
    cdef readonly long long[::1] start, next, amended_at, amended_to, late
    cdef readonly Py_ssize_t count

    @cython.locals(i=Py_ssize_t)
    cdef void begin(self, Py_ssize_t runner) noexcept nogil
    cdef bint is_fixed(self, Py_ssize_t person) noexcept nogil
    cdef void show_overdue(self, Py_ssize_t person, long long now) noexcept nogil
    @cython.locals(count=Py_ssize_t, k=Py_ssize_t)
    cdef void see(self, long long now) noexcept nogil
    @cython.locals(
        runner=Py_ssize_t, until=cython.longlong, parts=Py_ssize_t, words=Py_ssize_t,
        i=Py_ssize_t,
    )
    cdef void amend(self, Py_ssize_t person, long long now) noexcept nogil
    @cython.locals(kept=Py_ssize_t, k=Py_ssize_t)
    cdef void _forget(self, Py_ssize_t person) noexcept nogil
    @cython.locals(
        record=Py_ssize_t, run_s=cython.longlong, part=Py_ssize_t, lasts_s=cython.longlong
    )
    cdef void foresee(self, Py_ssize_t job) noexcept nogil
    @cython.locals(ends_at=cython.longlong, i=Py_ssize_t)
    cdef void foresee_runner(self, Py_ssize_t runner) noexcept nogil
    cdef void _hold_until(self, Py_ssize_t holding, long long until) noexcept nogil

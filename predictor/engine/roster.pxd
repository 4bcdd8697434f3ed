cimport cython
from predictor.engine cimport bits
from predictor.engine.groups cimport Groups
from predictor.engine.held cimport Held
from predictor.engine.overdue cimport Overdue
from predictor.engine.placer cimport Placer
from predictor.engine.queue cimport Queue
from predictor.engine.timeline cimport Timeline


@cython.final
cdef class Roster:
    cdef readonly Placer placer
    cdef readonly Held held
    cdef readonly Overdue overdue
    cdef readonly Queue queue
    cdef readonly Timeline timeline
    cdef readonly Groups groups
    cdef readonly Py_ssize_t words, count
    cdef readonly long long[::1] people, began_at, ends_at, cut_at, free_until, dying, moved_to, width
    cdef readonly long long[::1] for_whom, gone_at

    @cython.locals(hold=Py_ssize_t)
    cdef void begin(self, Py_ssize_t person, long long began_at, long long ends_at) noexcept nogil
    cdef bint is_end(self, Py_ssize_t person, long long at) noexcept nogil
    cdef bint is_cut(self, Py_ssize_t person) noexcept nogil
    @cython.locals(kept=Py_ssize_t, i=Py_ssize_t)
    cdef void leave(self, Py_ssize_t person, long long at) noexcept nogil
    @cython.locals(sooner=cython.bint)
    cdef void cut(
        self, Py_ssize_t person, long long at, bint dying, Py_ssize_t job
    ) noexcept nogil
    @cython.locals(parts=Py_ssize_t, hold=Py_ssize_t)
    cdef void move_end(self, Py_ssize_t person, long long at) noexcept nogil
    @cython.locals(
        latest=cython.longlong, parts=Py_ssize_t, hold=Py_ssize_t, until=cython.longlong
    )
    cdef long long until(self, Py_ssize_t person) noexcept nogil
    @cython.locals(parts=Py_ssize_t, hold=Py_ssize_t)
    cdef void lay(self, Py_ssize_t person, bint take) noexcept nogil
    @cython.locals(hold=Py_ssize_t)
    cdef void show_ends(self, Py_ssize_t person, bint shown) noexcept nogil
    @cython.locals(offset=Py_ssize_t)
    cdef void _show(self, Py_ssize_t hold, bint take) noexcept nogil
    @cython.locals(found=Py_ssize_t, hold=Py_ssize_t, w=Py_ssize_t)
    cdef Py_ssize_t common(
        self, Py_ssize_t person, unsigned long long[::1] nodes, Py_ssize_t offset
    ) noexcept nogil
    @cython.locals(found=Py_ssize_t, w=Py_ssize_t)
    cdef Py_ssize_t _width(self, Py_ssize_t hold) noexcept nogil
    cdef unsigned long long word(self, Py_ssize_t hold, Py_ssize_t w) noexcept nogil
    cdef Py_ssize_t shape(self, Py_ssize_t hold) noexcept nogil
    @cython.locals(w=Py_ssize_t)
    cdef bint holds(self, Py_ssize_t hold, Py_ssize_t node) noexcept nogil
    cdef Py_ssize_t first(self, Py_ssize_t person) noexcept nogil
    cdef Py_ssize_t last(self, Py_ssize_t person) noexcept nogil

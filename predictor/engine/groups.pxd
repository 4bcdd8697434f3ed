cimport cython
from predictor.engine cimport codes, sets
from predictor.engine.layout cimport Layout


@cython.final
cdef class Groups:
    cdef readonly Layout layout
    cdef readonly Py_ssize_t words, count, batches, first_word, among_words, first, last, wants
    cdef readonly long long first_s, step_s, until, mark, width
    cdef readonly bint counted, ties, licenses_seen
    cdef readonly long long[::1] lead, ordinal, kind, ends_at, due_at, alive, end_at, word_at, words_of
    cdef readonly unsigned long long[::1] nodes, word, held, among

    @cython.locals(i=Py_ssize_t)
    cdef void add(
        self, Py_ssize_t holding, unsigned long long[::1] nodes, Py_ssize_t offset,
        long long ends_at,
    ) noexcept nogil
    cdef void put_off(
        self, Py_ssize_t holding, unsigned long long[::1] nodes, Py_ssize_t offset,
        long long due_at, long long ends_at,
    ) noexcept nogil
    cdef bint _is_behind(self, Py_ssize_t i, Py_ssize_t holding, long long ends_at) noexcept nogil
    @cython.locals(lead=Py_ssize_t, i=Py_ssize_t)
    cdef bint _join(
        self, Py_ssize_t holding, unsigned long long[::1] nodes, Py_ssize_t offset,
        long long ends_at,
    ) noexcept nogil
    @cython.locals(base=Py_ssize_t, end_word=Py_ssize_t, w=Py_ssize_t)
    cdef void _span(self, Py_ssize_t i) noexcept nogil
    @cython.locals(kept=Py_ssize_t, i=Py_ssize_t)
    cdef void drop(self, Py_ssize_t holding) noexcept nogil
    @cython.locals(
        batch=Py_ssize_t, base=Py_ssize_t, i=Py_ssize_t, first=Py_ssize_t, row=Py_ssize_t
    )
    cdef void _count(self) noexcept nogil
    cdef void _move(self, Py_ssize_t source, Py_ssize_t target) noexcept nogil
    @cython.locals(batch=Py_ssize_t)
    cdef void add_held(self, unsigned long long[::1] nodes) noexcept nogil
    cdef long long ask(self, Py_ssize_t kind, long long since, long long until) noexcept nogil
    cdef bint begin_overdue(self) noexcept nogil
    cdef bint _counts(self, Py_ssize_t i) noexcept nogil
    @cython.locals(first_end=cython.longlong)
    cdef long long end_of(self, long long at) noexcept nogil
    cdef long long _first_at(self, long long at) noexcept nogil
    @cython.locals(i=Py_ssize_t, first=Py_ssize_t, row=Py_ssize_t)
    cdef long long own_end(
        self, unsigned long long[::1] nodes, Py_ssize_t offset, long long since
    ) noexcept nogil
    cdef long long end_behind(self) noexcept nogil
    @cython.locals(first=Py_ssize_t)
    cdef bint _turn_to_next(self) noexcept nogil
    @cython.locals(following=Py_ssize_t, ends_at=cython.longlong)
    cdef long long _ended(self) noexcept nogil
    @cython.locals(i=Py_ssize_t, following=Py_ssize_t)
    cdef Py_ssize_t _last_of_group(self, Py_ssize_t first, long long until) noexcept nogil
    @cython.locals(end=Py_ssize_t)
    cdef Py_ssize_t _next_touching(self, Py_ssize_t i) noexcept nogil
    @cython.locals(
        pools="long long[::1]", i=Py_ssize_t, k=Py_ssize_t, first=Py_ssize_t
    )
    cdef bint _lends(self, Py_ssize_t kind) noexcept nogil
    @cython.locals(batch=Py_ssize_t)
    cdef Py_ssize_t _touching_before(self, Py_ssize_t i) noexcept nogil
    @cython.locals(base=Py_ssize_t)
    cdef bint _any_touches(self, Py_ssize_t batch) noexcept nogil
    @cython.locals(low=Py_ssize_t, rest=Py_ssize_t, half=Py_ssize_t)
    cdef Py_ssize_t _count_until(self, long long at) noexcept nogil
    @cython.locals(first=Py_ssize_t, row=Py_ssize_t)
    cdef bint _touches(self, Py_ssize_t i) noexcept nogil
    cdef long long _wider(self, long long width) noexcept nogil

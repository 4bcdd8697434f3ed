cimport cython

cdef int FIELDS
cdef int MOST_DIGITS
cdef int SHORTEST_LINE
cdef int BLANK
cdef int TAB
cdef int RETURN
cdef int NEWLINE
cdef int MINUS
cdef int POINT
cdef int ZERO
cdef int NINE
cdef int SEMICOLON
cdef int CLEAN
cdef int COMMENT
cdef int NO_NUMBER
cdef int LONG_NUMBER
cdef int TOO_FEW
cdef int TOO_MANY


@cython.final
cdef class Scanner:
    cdef readonly Py_ssize_t capacity
    cdef readonly Py_ssize_t rows
    cdef readonly Py_ssize_t lines
    cdef readonly long long[::1] cells
    cdef const unsigned char[::1] text
    cdef Py_ssize_t width
    cdef long long[::1] wanted
    cdef long long[::1] numbers
    cdef int fields
    cdef int stop

    @cython.locals(place="Py_ssize_t", after="Py_ssize_t")
    cpdef Py_ssize_t scan(
        self, const unsigned char[::1] text, Py_ssize_t begin, Py_ssize_t end
    ) noexcept

    @cython.locals(place="Py_ssize_t", byte="int")
    cdef Py_ssize_t _line(self, Py_ssize_t begin) noexcept

    @cython.locals(place="Py_ssize_t", first="Py_ssize_t", digits="Py_ssize_t", byte="int",
                   negative="bint", value="long long")
    cdef Py_ssize_t _number(self, Py_ssize_t begin) noexcept

    @cython.locals(index="Py_ssize_t")
    cdef void _keep(self) noexcept

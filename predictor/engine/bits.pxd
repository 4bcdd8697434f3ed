# What stands for `bits` in compiled modules: the instructions themselves.

cdef extern from *:
    int popcountll "__builtin_popcountll"(unsigned long long) nogil
    int ctzll "__builtin_ctzll"(unsigned long long) nogil
    int clzll "__builtin_clzll"(unsigned long long) nogil


cdef inline int popcount(unsigned long long word) noexcept nogil:
    return popcountll(word)


cdef inline int lowest(unsigned long long word) noexcept nogil:
    return ctzll(word)


cdef inline int width(unsigned long long word) noexcept nogil:
    return 64 - clzll(word) if word else 0


cdef inline unsigned long long first(unsigned long long word, Py_ssize_t count) noexcept nogil:
    cdef unsigned long long rest = word
    while count > 0:
        rest &= rest - 1
        count -= 1
    return word ^ rest


cdef inline Py_ssize_t next_one(
    unsigned long long[::1] words, Py_ssize_t first, Py_ssize_t place, Py_ssize_t count
) noexcept nogil:
    cdef Py_ssize_t w = place >> 6, last = (count - 1) >> 6
    cdef unsigned long long word
    if place >= count:
        return count
    word = words[first + w] >> (place & 63) << (place & 63)
    while not word and w < last:
        w += 1
        word = words[first + w]
    return (w << 6) + lowest(word) if word else count

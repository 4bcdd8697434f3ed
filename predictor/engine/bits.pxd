# What stands for `bits` in compiled modules: the instructions themselves.

cdef extern from *:
    int popcountll "__builtin_popcountll"(unsigned long long) nogil
    int ctzll "__builtin_ctzll"(unsigned long long) nogil


cdef inline int popcount(unsigned long long word) noexcept nogil:
    return popcountll(word)


cdef inline int lowest(unsigned long long word) noexcept nogil:
    return ctzll(word)

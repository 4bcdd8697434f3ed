# What stands for `sets` in compiled modules: loops in C, which a compiler makes wide ones of.

ctypedef unsigned long long word_t

cdef extern from *:
    """
    #include <stddef.h>

    typedef unsigned long long word_t;

    static inline void sets_copy(word_t *target, const word_t *source, ptrdiff_t count) {
        for (ptrdiff_t w = 0; w < count; w++) target[w] = source[w];
    }
    static inline void sets_add(word_t *target, const word_t *other, ptrdiff_t count) {
        for (ptrdiff_t w = 0; w < count; w++) target[w] |= other[w];
    }
    static inline void sets_remove(word_t *target, const word_t *other, ptrdiff_t count) {
        for (ptrdiff_t w = 0; w < count; w++) target[w] &= ~other[w];
    }
    static inline ptrdiff_t sets_meet(
        word_t *target, const word_t *one, const word_t *other, ptrdiff_t count
    ) {
        ptrdiff_t found = 0;
        for (ptrdiff_t w = 0; w < count; w++) {
            word_t word = one[w] & other[w];
            target[w] = word;
            found += __builtin_popcountll(word);
        }
        return found;
    }
    static inline ptrdiff_t sets_common(const word_t *one, const word_t *other, ptrdiff_t count) {
        ptrdiff_t found = 0;
        for (ptrdiff_t w = 0; w < count; w++) found += __builtin_popcountll(one[w] & other[w]);
        return found;
    }
    static inline int sets_touch(const word_t *one, const word_t *other, ptrdiff_t count) {
        for (ptrdiff_t w = 0; w < count; w++) if (one[w] & other[w]) return 1;
        return 0;
    }
    static inline int sets_exceeds(const word_t *one, const word_t *other, ptrdiff_t count) {
        for (ptrdiff_t w = 0; w < count; w++) if (one[w] & ~other[w]) return 1;
        return 0;
    }
    static inline ptrdiff_t sets_size(const word_t *row, ptrdiff_t count) {
        ptrdiff_t found = 0;
        for (ptrdiff_t w = 0; w < count; w++) found += __builtin_popcountll(row[w]);
        return found;
    }
    """
    void sets_copy(word_t *, word_t *, Py_ssize_t) nogil
    void sets_add(word_t *, word_t *, Py_ssize_t) nogil
    void sets_remove(word_t *, word_t *, Py_ssize_t) nogil
    Py_ssize_t sets_meet(word_t *, word_t *, word_t *, Py_ssize_t) nogil
    Py_ssize_t sets_common(word_t *, word_t *, Py_ssize_t) nogil
    bint sets_touch(word_t *, word_t *, Py_ssize_t) nogil
    bint sets_exceeds(word_t *, word_t *, Py_ssize_t) nogil
    Py_ssize_t sets_size(word_t *, Py_ssize_t) nogil


cdef inline void copy(
    word_t[::1] target, Py_ssize_t i, word_t[::1] source, Py_ssize_t j, Py_ssize_t count
) noexcept nogil:
    sets_copy(&target[i], &source[j], count)


cdef inline void add(
    word_t[::1] target, Py_ssize_t i, word_t[::1] other, Py_ssize_t j, Py_ssize_t count
) noexcept nogil:
    sets_add(&target[i], &other[j], count)


cdef inline void remove(
    word_t[::1] target, Py_ssize_t i, word_t[::1] other, Py_ssize_t j, Py_ssize_t count
) noexcept nogil:
    sets_remove(&target[i], &other[j], count)


cdef inline Py_ssize_t meet(
    word_t[::1] target, Py_ssize_t i, word_t[::1] one, Py_ssize_t j, word_t[::1] other,
    Py_ssize_t k, Py_ssize_t count,
) noexcept nogil:
    return sets_meet(&target[i], &one[j], &other[k], count)


cdef inline Py_ssize_t common(
    word_t[::1] one, Py_ssize_t i, word_t[::1] other, Py_ssize_t j, Py_ssize_t count
) noexcept nogil:
    return sets_common(&one[i], &other[j], count)


cdef inline bint touch(
    word_t[::1] one, Py_ssize_t i, word_t[::1] other, Py_ssize_t j, Py_ssize_t count
) noexcept nogil:
    return sets_touch(&one[i], &other[j], count)


cdef inline bint exceeds(
    word_t[::1] one, Py_ssize_t i, word_t[::1] other, Py_ssize_t j, Py_ssize_t count
) noexcept nogil:
    return sets_exceeds(&one[i], &other[j], count)


cdef inline Py_ssize_t size(word_t[::1] row, Py_ssize_t i, Py_ssize_t count) noexcept nogil:
    return sets_size(&row[i], count)

# What stands for `sets` in compiled modules: loops in C over 64 bits or more at a time.

ctypedef unsigned long long word_t

cdef extern from *:
    """
    #include <stddef.h>
    #include <string.h>

    typedef unsigned long long word_t;
    typedef const unsigned long long *row_t;

    /* Each loop is compiled for any processor, and once more for those that count the bits of
       several words at once; which of the two runs is decided where it runs. */
    #if defined(__x86_64__) && defined(__GNUC__) && __GNUC__ >= 8
    #define SETS_LOOP(result, name, parameters, arguments, loop) \\
        __attribute__((target("avx512f,avx512vl,avx512vpopcntdq"), noinline)) \\
        static result name##_wide parameters { loop } \\
        static inline result name##_plain parameters { loop } \\
        static inline result name parameters { \\
            if (count >= SETS_FEW && __builtin_cpu_supports("avx512vpopcntdq")) \\
                return name##_wide arguments; \\
            return name##_plain arguments; \\
        }
    #else
    #define SETS_LOOP(result, name, parameters, arguments, loop) \\
        static inline result name parameters { loop }
    #endif
    #define SETS_FEW 4

    SETS_LOOP(
        void, sets_add, (word_t *target, row_t other, ptrdiff_t count), (target, other, count),
        for (ptrdiff_t w = 0; w < count; w++) target[w] |= other[w];
    )
    SETS_LOOP(
        void, sets_remove, (word_t *target, row_t other, ptrdiff_t count), (target, other, count),
        for (ptrdiff_t w = 0; w < count; w++) target[w] &= ~other[w];
    )
    SETS_LOOP(
        ptrdiff_t, sets_meet, (word_t *target, row_t one, row_t other, ptrdiff_t count),
        (target, one, other, count),
        ptrdiff_t found = 0;
        for (ptrdiff_t w = 0; w < count; w++) {
            word_t word = one[w] & other[w];
            target[w] = word;
            found += __builtin_popcountll(word);
        }
        return found;
    )
    SETS_LOOP(
        ptrdiff_t, sets_narrow,
        (word_t *target, row_t one, row_t taken, row_t other, ptrdiff_t count),
        (target, one, taken, other, count),
        ptrdiff_t found = 0;
        for (ptrdiff_t w = 0; w < count; w++) {
            word_t word = one[w] & ~taken[w];
            target[w] = word;
            found += __builtin_popcountll(word & other[w]);
        }
        return found;
    )
    SETS_LOOP(
        ptrdiff_t, sets_left, (row_t one, row_t other, row_t taken, ptrdiff_t count),
        (one, other, taken, count),
        ptrdiff_t found = 0;
        for (ptrdiff_t w = 0; w < count; w++)
            found += __builtin_popcountll(one[w] & other[w] & ~taken[w]);
        return found;
    )
    static inline void sets_add_to_rows(
        word_t *target, const long long *rows, ptrdiff_t first, ptrdiff_t end, ptrdiff_t stride,
        row_t other, ptrdiff_t count
    ) {
        if (count == 1) {  /* most sets of nodes that somebody holds */
            word_t word = other[0];
            for (ptrdiff_t p = first; p < end; p++) target[rows[p] * stride] |= word;
        } else {
            for (ptrdiff_t p = first; p < end; p++)
                sets_add(target + rows[p] * stride, other, count);
        }
    }
    static inline ptrdiff_t sets_next_touching(
        row_t word, const long long *word_at, const long long *words_of, row_t among,
        ptrdiff_t first, ptrdiff_t end
    ) {
        for (ptrdiff_t i = first; i < end; i++)
            if ((word[i] & among[word_at[i]]) || words_of[i] > 1) return i;
        return end;
    }
    static inline void sets_copy(word_t *target, row_t source, ptrdiff_t count) {
        memcpy(target, source, count * sizeof(word_t));
    }
    /* Without leaving early it takes many words at once. */
    SETS_LOOP(
        int, sets_touch, (row_t one, row_t other, ptrdiff_t count), (one, other, count),
        word_t found = 0;
        for (ptrdiff_t w = 0; w < count; w++) found |= one[w] & other[w];
        return found != 0;
    )
    static inline ptrdiff_t sets_first_exceeding(row_t one, row_t other, ptrdiff_t count) {
        ptrdiff_t w = 0;
        while (w < count && !(one[w] & ~other[w])) w++;
        return w;
    }
    static inline int sets_exceeds(row_t one, row_t other, ptrdiff_t count) {
        for (ptrdiff_t w = 0; w < count; w++) if (one[w] & ~other[w]) return 1;
        return 0;
    }
    """
    void sets_copy(word_t *, word_t *, Py_ssize_t) nogil
    void sets_add(word_t *, word_t *, Py_ssize_t) nogil
    void sets_remove(word_t *, word_t *, Py_ssize_t) nogil
    Py_ssize_t sets_meet(word_t *, word_t *, word_t *, Py_ssize_t) nogil
    Py_ssize_t sets_narrow(word_t *, word_t *, word_t *, word_t *, Py_ssize_t) nogil
    bint sets_touch(word_t *, word_t *, Py_ssize_t) nogil
    Py_ssize_t sets_first_exceeding(word_t *, word_t *, Py_ssize_t) nogil
    bint sets_exceeds(word_t *, word_t *, Py_ssize_t) nogil
    void sets_add_to_rows(
        word_t *, long long *, Py_ssize_t, Py_ssize_t, Py_ssize_t, word_t *, Py_ssize_t
    ) nogil
    Py_ssize_t sets_next_touching(
        word_t *, long long *, long long *, word_t *, Py_ssize_t, Py_ssize_t
    ) nogil
    Py_ssize_t sets_left(word_t *, word_t *, word_t *, Py_ssize_t) nogil


cdef inline void copy(
    word_t[::1] target, Py_ssize_t i, word_t[::1] source, Py_ssize_t j, Py_ssize_t count
) noexcept nogil:
    sets_copy(&target[i], &source[j], count)


cdef inline void add(
    word_t[::1] target, Py_ssize_t i, word_t[::1] other, Py_ssize_t j, Py_ssize_t count
) noexcept nogil:
    if count == 1:  # most sets of nodes that somebody holds
        target[i] |= other[j]
    else:
        sets_add(&target[i], &other[j], count)


cdef inline void add_to_rows(
    word_t[::1] target, long long[::1] rows, Py_ssize_t first, Py_ssize_t end, Py_ssize_t stride,
    Py_ssize_t i, word_t[::1] other, Py_ssize_t j, Py_ssize_t count,
) noexcept nogil:
    sets_add_to_rows(&target[i], &rows[0], first, end, stride, &other[j], count)


cdef inline void remove(
    word_t[::1] target, Py_ssize_t i, word_t[::1] other, Py_ssize_t j, Py_ssize_t count
) noexcept nogil:
    sets_remove(&target[i], &other[j], count)


cdef inline Py_ssize_t meet(
    word_t[::1] target, Py_ssize_t i, word_t[::1] one, Py_ssize_t j, word_t[::1] other,
    Py_ssize_t k, Py_ssize_t count,
) noexcept nogil:
    return sets_meet(&target[i], &one[j], &other[k], count)


cdef inline Py_ssize_t narrow(
    word_t[::1] target, Py_ssize_t i, word_t[::1] one, Py_ssize_t h, word_t[::1] taken,
    Py_ssize_t j, word_t[::1] other, Py_ssize_t k, Py_ssize_t count,
) noexcept nogil:
    return sets_narrow(&target[i], &one[h], &taken[j], &other[k], count)


cdef inline bint touch(
    word_t[::1] one, Py_ssize_t i, word_t[::1] other, Py_ssize_t j, Py_ssize_t count
) noexcept nogil:
    if count == 1:
        return (one[i] & other[j]) != 0
    return sets_touch(&one[i], &other[j], count)


cdef inline Py_ssize_t next_touching(
    word_t[::1] word, long long[::1] word_at, long long[::1] words_of, word_t[::1] among,
    Py_ssize_t first, Py_ssize_t end,
) noexcept nogil:
    return sets_next_touching(&word[0], &word_at[0], &words_of[0], &among[0], first, end)


cdef inline Py_ssize_t first_exceeding(
    word_t[::1] one, Py_ssize_t i, word_t[::1] other, Py_ssize_t j, Py_ssize_t count
) noexcept nogil:
    return sets_first_exceeding(&one[i], &other[j], count)


cdef inline bint exceeds(
    word_t[::1] one, Py_ssize_t i, word_t[::1] other, Py_ssize_t j, Py_ssize_t count
) noexcept nogil:
    return sets_exceeds(&one[i], &other[j], count)


cdef inline Py_ssize_t left(
    word_t[::1] one, Py_ssize_t i, word_t[::1] other, Py_ssize_t j, word_t[::1] taken,
    Py_ssize_t k, Py_ssize_t count,
) noexcept nogil:
    return sets_left(&one[i], &other[j], &taken[k], count)

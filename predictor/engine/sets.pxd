# What stands for `sets` in compiled modules: loops in C over 64 bits or more at a time.

ctypedef unsigned long long word_t

cdef extern from *:
    """
    #include <stddef.h>
    #include <string.h>

    typedef unsigned long long word_t;
    typedef const unsigned long long *row_t;

    /* Each loop is compiled for any processor, and once more for those that take several words at
       once, and for those that count the bits of several; which runs is decided where it runs. */
    #define SETS_WORD(set) set[w]
    #define SETS_EACH(first, step) \\
        for (ptrdiff_t from = first, w = from; w < count; w++) { \\
            word_t word; step(SETS_WORD); found += __builtin_popcountll(word); \\
        }
    #if defined(__x86_64__) && defined(__GNUC__) && __GNUC__ >= 8
    #include <immintrin.h>
    #define SETS_MANY __attribute__((target("avx512f,avx512vl,avx512vpopcntdq"), noinline))
    #define SETS_SOME __attribute__((target("avx2"), noinline))
    #define SETS_CHOOSE(name, arguments) \\
        if (count >= SETS_FEW && __builtin_cpu_supports("avx512vpopcntdq")) \\
            return name##_many arguments; \\
        if (count >= SETS_FEW && __builtin_cpu_supports("avx2")) return name##_some arguments; \\
        return name##_plain arguments;
    #define SETS_LOOP(result, name, parameters, arguments, loop) \\
        SETS_MANY static result name##_many parameters { loop } \\
        SETS_SOME static result name##_some parameters { loop } \\
        static inline result name##_plain parameters { loop } \\
        static inline result name parameters { SETS_CHOOSE(name, arguments) }

    /* Counts the bits of four words at once, half a byte at a time.
       Source: Mula, Kurz, Lemire, Faster Population Counts Using AVX2 Instructions, 2018. */
    typedef long long four_t __attribute__((vector_size(32), aligned(8), may_alias));
    __attribute__((target("avx2"))) static inline four_t sets_bits_of_four(four_t words) {
        const __m256i bits = _mm256_broadcastsi128_si256(
            _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
        const __m256i low = _mm256_set1_epi8(15);
        __m256i first = _mm256_and_si256((__m256i)words, low);
        __m256i second = _mm256_and_si256(_mm256_srli_epi16((__m256i)words, 4), low);
        __m256i bytes = _mm256_add_epi8(
            _mm256_shuffle_epi8(bits, first), _mm256_shuffle_epi8(bits, second));
        return (four_t)_mm256_sad_epu8(bytes, _mm256_setzero_si256());
    }
    #define SETS_FOUR(set) (*(four_t *)(set + w))
    /* `step` says what is counted of a word, `of` being how to get at one or four. */
    #define SETS_COUNT(name, parameters, arguments, step) \\
        SETS_MANY static ptrdiff_t name##_many parameters { \\
            ptrdiff_t found = 0; \\
            SETS_EACH(0, step) \\
            return found; \\
        } \\
        static inline ptrdiff_t name##_plain parameters { \\
            ptrdiff_t found = 0; \\
            SETS_EACH(0, step) \\
            return found; \\
        } \\
        SETS_SOME static ptrdiff_t name##_some parameters { \\
            four_t found_by = {0, 0, 0, 0}; \\
            ptrdiff_t w = 0; \\
            for (; w + 4 <= count; w += 4) { \\
                four_t word; step(SETS_FOUR); found_by += sets_bits_of_four(word); \\
            } \\
            ptrdiff_t found = found_by[0] + found_by[1] + found_by[2] + found_by[3]; \\
            SETS_EACH(w, step) \\
            return found; \\
        } \\
        static inline ptrdiff_t name parameters { SETS_CHOOSE(name, arguments) }
    #else
    #define SETS_LOOP(result, name, parameters, arguments, loop) \\
        static inline result name parameters { loop }
    #define SETS_COUNT(name, parameters, arguments, step) \\
        static inline ptrdiff_t name parameters { \\
            ptrdiff_t found = 0; \\
            SETS_EACH(0, step) \\
            return found; \\
        }
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
    #define SETS_MEET(of) word = of(one) & of(other); of(target) = word
    SETS_COUNT(
        sets_meet, (word_t *target, row_t one, row_t other, ptrdiff_t count),
        (target, one, other, count), SETS_MEET
    )
    #define SETS_NARROW(of) word = of(one) & ~of(taken); of(target) = word; word &= of(other)
    SETS_COUNT(
        sets_narrow, (word_t *target, row_t one, row_t taken, row_t other, ptrdiff_t count),
        (target, one, taken, other, count), SETS_NARROW
    )
    #define SETS_LEFT(of) word = of(one) & of(other) & ~of(taken)
    SETS_COUNT(
        sets_left, (row_t one, row_t other, row_t taken, ptrdiff_t count),
        (one, other, taken, count), SETS_LEFT
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
    static inline ptrdiff_t sets_next_touching(
        row_t word, const long long *word_at, const long long *words_of, const long long *rows,
        row_t nodes, ptrdiff_t stride, row_t among, ptrdiff_t first, ptrdiff_t end
    ) {
        for (ptrdiff_t i = first; i < end; i++) {
            ptrdiff_t w = word_at[i];
            if (word[i] & among[w]) return i;
            if (words_of[i] > 1 && sets_touch(nodes + rows[i] * stride + w, among + w, words_of[i]))
                return i;
        }
        return end;
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
    bint sets_exceeds(word_t *, word_t *, Py_ssize_t) nogil
    void sets_add_to_rows(
        word_t *, long long *, Py_ssize_t, Py_ssize_t, Py_ssize_t, word_t *, Py_ssize_t
    ) nogil
    Py_ssize_t sets_next_touching(
        word_t *, long long *, long long *, long long *, word_t *, Py_ssize_t, word_t *,
        Py_ssize_t, Py_ssize_t
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
    if count > 0:  # behind the last word there is none to begin with
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
    word_t[::1] word, long long[::1] word_at, long long[::1] words_of, long long[::1] rows,
    word_t[::1] nodes, Py_ssize_t stride, word_t[::1] among, Py_ssize_t first, Py_ssize_t end,
) noexcept nogil:
    return sets_next_touching(
        &word[0], &word_at[0], &words_of[0], &rows[0], &nodes[0], stride, &among[0], first, end
    )


cdef inline bint exceeds(
    word_t[::1] one, Py_ssize_t i, word_t[::1] other, Py_ssize_t j, Py_ssize_t count
) noexcept nogil:
    return sets_exceeds(&one[i], &other[j], count)


cdef inline Py_ssize_t left(
    word_t[::1] one, Py_ssize_t i, word_t[::1] other, Py_ssize_t j, word_t[::1] taken,
    Py_ssize_t k, Py_ssize_t count,
) noexcept nogil:
    return sets_left(&one[i], &other[j], &taken[k], count)

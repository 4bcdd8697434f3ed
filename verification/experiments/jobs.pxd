cimport cython


@cython.final
cdef class Job:
    cdef readonly long long number
    cdef readonly long long submit_s
    cdef readonly long long run_s
    cdef readonly long long limit_s
    cdef readonly long long procs
    cdef readonly long long units
    cdef readonly tuple need
    cdef readonly long long memory_kib
    cdef readonly long long status
    cdef readonly long long user
    cdef readonly long long group
    cdef readonly long long executable
    cdef readonly long long queue
    cdef readonly long long partition


@cython.final
cdef class _Maker:
    cdef object _machine
    cdef long long _begin_s
    cdef dict _resources
    cdef object _memory
    cdef dict _kinds

    @cython.locals(
        number="long long", submit="long long", run="long long", wanted="long long",
        given="long long", limit="long long", procs="long long", cores="long long", found=tuple,
        need=tuple,
    )
    cpdef Job job(self, tuple row)

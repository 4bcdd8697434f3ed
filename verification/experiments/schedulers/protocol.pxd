cdef class Scheduler:
    pass

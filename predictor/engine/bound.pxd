# What stands for `bound` in compiled modules.

cdef enum:
    ONE = 0
    NODES = 1

cdef enum:
    HELD = 0
    SPREAD = 1
    AHEAD = 2
    SPENT = 3
    MOST = 4
    LEAST = 5
    MEAN = 6
    LONG = 7

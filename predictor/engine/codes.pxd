# What stands for `codes` in compiled modules.

cdef enum:
    GROUP = 64
    FIRST_FIT = 0
    BEST_FIT = 1
    BALANCED = 2
    CONSECUTIVE = 3
    ROUND_ROBIN = 4
    DUAL_END = 5
    TREE = 6
    LAST = 7
    SUMS = 6
    APART = 1000000
    ALIGNED_S = 30
    MINUTE_S = 60
    STOPS_NOBODY = 0
    STOPS_QUEUE = 1
    STOPS_NODES = 2
    STOPS_ALL = 3
    ABSENT = 0
    WAITS = 1
    RUNS = 2
    GONE = 3
    END = 0
    LEAVE = 1
    ARRIVE = 2
    HOLD = 3
    RELEASE = 4
    RIPEN = 5
    LIKELY = 0
    REFUSED = 1
    TOUCHES = 2
    SLOTS_A_COUNT = 4
    SIZES = 32

# What stands for `powers` in compiled modules: the functions that Python calls too.

cdef extern from "math.h":
    double c_pow "pow"(double, double) nogil
    double c_log "log"(double) nogil


cdef inline double power(double base, double exponent) noexcept nogil:
    return c_pow(base, exponent)


cdef inline double logarithm(double number) noexcept nogil:
    return c_log(number)

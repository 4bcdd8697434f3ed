"""The inner loop: placing thousands of jobs on thousands of nodes, in integers only.

Plain typed Python that knows no value of the domain. A module with C types in a sidecar, `x.pxd`
beside `x.py`, is also compiled, if the machine that installs can; both kinds give the same results,
bit by bit.

- `kind`: which kind runs, and why not the other
- `bits`: the two operations on words that have C instructions of their own
- `store`: the arrays, lists or C memory
"""

from predictor.engine import kind

# Compiled modules lie in a folder of their own that is searched first: all of them or none.
__path__[:0] = kind.compiled_folder("predictor/engine")

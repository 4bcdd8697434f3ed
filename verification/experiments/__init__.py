"""Experiments on workload traces: schedulers, allocators and durations, each with the others.

- `machine`, `machine_file`: what a machine is made of
- `state`: what of it is free
- `jobs`: the jobs of a trace, streamed
- `schedulers`, `allocators`, `durations`, `rate`: what is tried
- `replay`: the event loop
"""

from predictor.engine import kind

# Compiled modules lie in a folder of their own that is searched first: all of them or none.
__path__[:0] = kind.compiled_folder("verification/experiments")

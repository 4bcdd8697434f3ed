"""Experiments on workload traces: schedulers, allocators and durations, each with the others.

- `machine`, `machine_file`: what a machine is made of
- `state`: what of it is free
- `jobs`: the jobs of a trace, streamed
- `schedulers`, `allocators`, `durations`, `rate`: what is tried
- `replay`: the event loop
"""

"""What waiting jobs ask for, in numbers; policies as numbers.

A snapshot's nodes become a `Machine`; `admission` turns a waiting job into the ways to place it, by
`rules` and partition by partition: whom `barring` keeps out, and `within`, where it may lie. Who
starts where and when decides the engine.
"""

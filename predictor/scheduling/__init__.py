"""What waiting jobs ask for, in numbers; policies as numbers.

A snapshot's nodes become a `Machine`; `admission` turns a waiting job into the ways to place it.
Who starts where and when decides the engine.
"""

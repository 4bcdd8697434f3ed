"""Planning all waiting jobs at once by constraint programming: what a scheduler could reach.

- `problem`: who waits, for what, and what a plan costs
- `solver`: the plan, by the CP-SAT solver of Google's OR-tools (extra `ideal`)
"""

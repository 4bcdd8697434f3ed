"""How truly the replica decides when it is told everything outside the scheduler."""

"""How long jobs run, learned from those that have ended."""

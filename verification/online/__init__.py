"""Scores of what was knowable: starts told in the order in which facts came in."""

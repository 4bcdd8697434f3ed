"""Slurm's answers in its text forms."""

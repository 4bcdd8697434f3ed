"""Slurm's answers as JSON objects."""

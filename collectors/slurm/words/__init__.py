"""Slurm's words and notations, the same in every form of its answers."""

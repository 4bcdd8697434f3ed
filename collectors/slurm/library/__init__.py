"""Slurm's own library, asked through pyslurm in a process of its own."""

"""Slurm, through its REST daemon, slurmrestd."""

"""Slurm's own files as proposed changes: slurm.conf, what sacctmgr prints, and its dumps."""

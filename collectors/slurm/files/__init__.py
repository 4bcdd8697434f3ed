"""Slurm's configuration files as sources: slurm.conf and its kin, without a controller."""

"""What becomes of a Slurm's settings: which are replicated, approximated or ignored, and why."""

"""Predict when the waiting jobs of a batch system will start."""

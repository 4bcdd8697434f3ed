"""Workload traces of the Standard Workload Format, played as live clusters."""

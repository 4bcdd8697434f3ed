"""Jobs that nobody has submitted yet, and those that leave without a start."""

"""Documents of other programs, LLview's raw LML above all, as well as they can be told."""

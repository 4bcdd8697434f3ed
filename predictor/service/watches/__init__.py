"""Who wants to be told of which jobs, what is told, and how it gets there."""

"""What was said of starts, what happened, and how far apart the two are."""

"""Two configurations over the same recorded days: who waits longer, and how sure that is."""

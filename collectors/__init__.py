"""Ways to look at a batch system; each makes a Snapshot."""

"""Where a waiting job stands in the queue."""

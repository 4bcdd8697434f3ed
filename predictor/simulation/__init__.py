"""Move a snapshot forward in time until every waiting job has started."""

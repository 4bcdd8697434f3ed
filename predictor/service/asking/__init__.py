"""Who asks, and what may be shown to whom."""

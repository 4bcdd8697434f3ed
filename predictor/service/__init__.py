"""The daemon: looks at the cluster every minute, forecasts, and answers from the last result."""

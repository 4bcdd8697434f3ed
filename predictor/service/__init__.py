"""The daemon: look, keep, forecast, publish, answer."""

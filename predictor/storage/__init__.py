"""Recordings: what was seen and said, kept so that it survives a crash."""

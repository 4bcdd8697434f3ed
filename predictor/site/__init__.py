"""The site file: what the batch system cannot say."""

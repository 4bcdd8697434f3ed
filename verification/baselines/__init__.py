"""Predictors that anybody could make, for ours to be compared with."""

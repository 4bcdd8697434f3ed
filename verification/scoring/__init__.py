"""How good predictions were: pure functions over cases, the same for every predictor."""

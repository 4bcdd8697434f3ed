"""What each truth that is taken away costs: from the replica's own test to a forecast by limits."""

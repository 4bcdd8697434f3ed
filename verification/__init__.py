"""Judge forecasts by what really happened."""

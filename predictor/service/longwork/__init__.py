"""Long work that operators order: days replayed, changes compared, settings swept."""

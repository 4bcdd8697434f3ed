"""Why each waiting job starts when it does: values worked out after the simulation."""

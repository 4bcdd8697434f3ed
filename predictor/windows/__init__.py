"""Windows that hold: distributions of starts corrected by how earlier ones went."""

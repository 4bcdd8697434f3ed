"""What was measured, as JSON, as text for a terminal, and as one page to read offline."""

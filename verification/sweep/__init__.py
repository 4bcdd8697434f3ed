"""Try many settings on the same recordings or traces, resumably, and say what each is worth."""

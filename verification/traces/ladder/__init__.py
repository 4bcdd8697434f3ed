"""Forecasts on a public trace, with one truth less in each row.

- `world`: the trace replayed under EASY; that replay is the truth, so the policy is known exactly
- `looks`: what is known at an instant, and nothing that comes later
- `courses`: who waits then and when he starts, by the same EASY, if all run so long
- `beliefs`: the run times and newcomers that the predictor believes in
- `simple`: forecasts without chance: limits, history, waits of the past
- `drawn`: forecasts from many drawn courses, and corrected by how earlier ones came out
- `rows`: all of them together
- `table`: how far off each was
"""

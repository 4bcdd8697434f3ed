"""Co-schedulers: two jobs share a node, half of it each, where that pays.

- `halves`: which halves of nodes are taken
- `policies`: who goes first, and beside whom it likes to be
- `scheduler`: what all of them do

The policies are those of ELiSE (CSLab, NTUA) as its program has them.
"""

"""Replay workload traces of the Standard Workload Format, counting processors.

Its inner loops are compiled where that is possible, as those of `predictor.engine`.

- `swf`: read a trace, strictly and in one stream
- `jobs`: the jobs of a trace that can be replayed, normalised
- `replay`: FCFS, EASY and conservative backfilling over one pool of processors
"""

from predictor.engine import kind

# Compiled modules lie in a folder of their own that is searched first: all of them or none.
__path__[:0] = kind.compiled_folder("verification/traces")

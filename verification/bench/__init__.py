"""How fast queuecast is: work that anybody can generate again, timed, its result hashed.

- `generated`: clusters with a queue, drawn from a seed
- `tables`: the same on the engine
- `plan`, `forward`: what is done with them
- `swf`: a trace replayed
- `snapshots`: the same clusters as snapshots, and jobs that ended there
- `tick`: what a tick of the service takes of one
- `measure`: user CPU time, memory and hash of any of these
- `growth`: how the time grows with the size
"""

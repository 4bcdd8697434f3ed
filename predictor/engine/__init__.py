"""The inner loop: placing thousands of jobs on thousands of nodes, in integers only.

Plain typed Python that knows no value of the domain. A module with C types in a sidecar, `x.pxd`
beside `x.py`, is also compiled, if the machine that installs can; both kinds give the same results,
bit by bit.

The way through it, each part using only those named before:

- `kind`, `bits`, `sets`, `moves`, `powers`, `codes`, `store`: which kind runs; what C has
  instructions for; shared numbers; arrays, lists or C memory
- `tables` (`calendar_tables`, `rule_tables`): what the engine is told; `layout`: the machine and
  its reservations as flat arrays
- `timeline`: what is free when; `hints`, `search`: when a request can be met first, and where
- `limits` (`limit_tables`, `limit_layout`, `bound`, `node_use`): who may not start now
- `choice` (`runs`, `gathering`, `tree`): which nodes a request gets; `leaning`: to which its group
  draws it
- `ranking` (`ranking_tables`, `shares`): priorities as time moves on
- `queue`, `heap`: who waits in which order, and what happens next
- `clearing`: where nobody may start yet; `placer`: places jobs and starts them; `held`: what was
  held at the beginning; `past`: where those first started who were sent back
- `owners`: who keeps others off nodes; `victims` (`victim_tables`, `roster`, `still`): who is ended
  for whom, or stands still, only where that is configured
- `overdue`: who runs beyond its planned end; `planned_ends`: whose is made another
- `strict`: the main pass, in strict order; `groups`, `ties`, `fitting`, `bookings`, `lending`,
  `leaving`, `sight`, `fences`, `refusals`, `openings`, `chances`, `caps`, `delays`, `slots`,
  `trials`, `together`, `seeking`, `ahead`: the backfill pass, which looks ahead
- `lineup`: who stands before whom; `sharers`: whose priority is also that of others
- `present`, `filling`, `policy`: the pass of a policy told in numbers
- `timetable`: when passes look ahead; `calls`: when those in strict order are due; `departures`:
  whether an end calls for one at once, and what it leaves behind; `forward`: time moves on, pass
  by pass as a batch system makes them; `policies`: under a policy
- `unlocked`: the long calls, during which other threads run
"""

from predictor.engine import kind

# Compiled modules lie in a folder of their own that is searched first: all of them or none.
__path__[:0] = kind.compiled_folder("predictor/engine")

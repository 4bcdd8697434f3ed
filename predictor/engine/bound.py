"""What limits are about: the kinds of rules, and the resources that every job takes."""

ONE = 0
"""The resource of which each job takes 1: caps on it are caps on jobs, and on their run time."""
NODES = 1
"""The resource of which each job takes as many as it has nodes."""

HELD = 0
"""At most so much of a resource in use at a time."""
SPREAD = 1
"""At most so many different nodes in use at a time; those that jobs share count once."""
AHEAD = 2
"""At most so much of a resource times the seconds that its running jobs have before them."""
SPENT = 3
"""Less than so much of a resource times the seconds it was used, decaying."""
MOST = 4
"""At most so much of a resource for each job."""
LEAST = 5
"""At least so much of a resource for each job."""
MEAN = 6
"""At most so much of a resource for each job's node, on average, rounded down."""
LONG = 7
"""At most so much of a resource times seconds for each job."""

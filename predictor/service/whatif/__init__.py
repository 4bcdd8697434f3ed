"""What if somebody submitted this, or asked for less: bounded, and never in the way of a tick."""

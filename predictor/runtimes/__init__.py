"""How long jobs run, and wait for nodes to boot: learned from those that did."""

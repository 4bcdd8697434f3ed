"""What is proposed: another configuration, other nodes, a reservation; and recordings under it."""

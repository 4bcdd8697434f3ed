"""Where predictions go wrong, with names and instants to look at."""

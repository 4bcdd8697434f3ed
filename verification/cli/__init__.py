"""The subcommands that measure how good queuecast is."""

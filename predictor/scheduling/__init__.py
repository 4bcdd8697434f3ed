"""Who starts where and when: one planner, policies as numbers."""

"""Who starts where and when: one planner, policies as numbers.

A snapshot's nodes become a `Machine`, what runs on it a `Timeline`; `admission` turns a waiting
job into an `Ask`; `planner.schedule` places asks in queue order.
"""

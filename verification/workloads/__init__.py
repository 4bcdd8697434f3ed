"""Synthetic workloads: learned from a trace, or by the model of Lublin and Feitelson.

- `seen`: the jobs of a trace
- `habits`, `cycle`, `spread`: what is learned: users and what they repeat, the site's calendar
- `model`, `modelfile`: all of it together, and as a file
- `fit`: learn a model from a trace
- `generate`, `lublin`: jobs drawn from a model, one after the other
- `eurora`: a model made of what is published of one machine, and of assumptions
- `written`: jobs as a trace of the Standard Workload Format
- `panels`, `distance`, `compare`, `plots`, `page`: a real workload beside a generated one
"""

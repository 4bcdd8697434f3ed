"""OpenPBS and PBS Professional, through their own commands.

Source: OpenPBS's manual pages (qstat, pbsnodes, pbs_rstat, attributes of jobs, queues, vnodes,
reservations, server and scheduler) and the PBS Professional Administrator's Guide.
"""

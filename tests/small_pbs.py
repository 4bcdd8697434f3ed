"""A small PBS of our own invention, told as its commands tell it.

Forms and words follow OpenPBS's manual pages and what public sites have shown of their answers.
"""

import json
import time

NOW = 1_795_183_320  # 2026-11-20 14:02:00 UTC
HEAD = {"timestamp": NOW, "pbs_version": "23.06.06", "pbs_server": "heron-pbs.site.org"}


def at(minutes):
    """An instant so many minutes from now, as `ctime` writes it."""
    return time.asctime(time.gmtime(NOW + 60 * minutes))


def printed(section, records):
    """An answer in JSON, laid out as PBS's printer does it."""
    return json.dumps({**HEAD, section: records}, indent=4).replace('": ', '":') + "\n"


def vnode(host, cpus, *, mem="128gb", name=None, state="free", **more):
    resources = {"arch": "linux", "host": host, "mem": mem, "ncpus": cpus, "vnode": name or host}
    return {
        "Mom": f"{host}.site.org",
        "ntype": "PBS",
        "state": state,
        "pcpus": cpus,
        "resources_available": resources | more.pop("has", {}),
        "resources_assigned": more.pop("assigned", {}),
        "sharing": "default_shared",
        "license": "l",
        **more,
    }


NODES = {
    "h1": vnode(
        "h1",
        32,
        state="job-exclusive",
        has={"ngpus": 4, "Qlist": "work,gpus", "fast": "True"},
        assigned={"ncpus": 32, "mem": "67108864kb", "ngpus": 0},
    ),
    "h2": vnode(
        "h2",
        32,
        state="job-exclusive",
        has={"Qlist": "work"},
        assigned={"ncpus": 32, "mem": "64gb"},
    ),
    "h3[0]": vnode(
        "h3", 16, mem="64gb", name="h3[0]", has={"Qlist": "work"}, assigned={"ncpus": 4}
    ),
    "h3[1]": vnode("h3", 16, mem="64gb", name="h3[1]", has={"Qlist": "work"}),
    "h4": vnode("h4", 32, state="offline,down", comment="disk is broken", has={"Qlist": "work"}),
}


def job(state, select, **more):
    """A job's attributes; `minutes` is its limit."""
    asked = {"select": select, "place": more.pop("place", "free")}
    asked |= {"walltime": f"{more.pop('minutes', 60) // 60:02d}:00:00"} | more.pop("asked", {})
    return {
        "Job_Name": "run",
        "Job_Owner": "ana@login1.site.org",
        "job_state": state,
        "queue": "work",
        "server": "heron-pbs.site.org",
        "Account_Name": "physics",
        "ctime": at(-60),
        "Hold_Types": "n",
        "mtime": at(-30),
        "Priority": 0,
        "qtime": at(-60),
        "Rerunable": "True",
        "Resource_List": asked,
        "etime": at(-60),
        "eligible_time": "01:00:00",
        "project": "_pbs_project_default",
        "Variable_List": {"PBS_O_HOME": "/home/ana", "PBS_O_WORKDIR": "/home/ana/secret"},
        **more,
    }


def running(select, exec_vnode, *, since=-30, state="R", **more):
    used = {"ncpus": 32, "walltime": "00:30:00"}
    return job(
        state,
        select,
        stime=at(since),
        exec_vnode=exec_vnode,
        resources_used=used,
        run_count=1,
        **more,
    )


JOBS = {
    "101.heron-pbs": running(
        "2:ncpus=32:mem=64gb",
        "(h1:ncpus=32:mem=67108864kb)+(h2:ncpus=32:mem=67108864kb)",
        place="scatter:excl",
        minutes=120,
    ),
    "102.heron-pbs": job("Q", "2:ncpus=32", place="scatter:excl"),
    "103.heron-pbs": job("Q", "1:ncpus=8:mem=4gb", Job_Owner="ben@login2"),
    "104[].heron-pbs": job(
        "B", "1:ncpus=4", array="True", array_indices_remaining="2-4", max_run_subjobs=2
    ),
    "104[1].heron-pbs": running(
        "1:ncpus=4", "(h3[0]:ncpus=4)", array_id="104[].heron-pbs", array_index=1
    ),
    "104[2].heron-pbs": job("Q", "1:ncpus=4", array_id="104[].heron-pbs", array_index=2),
    "105.heron-pbs": job("H", "1:ncpus=1", Hold_Types="u"),
    "106.heron-pbs": job(
        "H",
        "1:ncpus=1",
        Hold_Types="s",
        depend="afterok:102.heron-pbs@heron-pbs.site.org,beforeany:107.heron-pbs@heron-pbs",
    ),
    "107.heron-pbs": job("W", "1:ncpus=1", Execution_Time=at(90)),
    "108.heron-pbs": job("Q", "1:ncpus=16:mem=8gb+2:ncpus=4"),
    "109.heron-pbs": job("Q", "1:ncpus=2:ngpus=1", queue="route", asked={"ngpus": 1, "nodect": 1}),
    "110.heron-pbs": job(
        "Q",
        "1:ncpus=1",
        comment="Not Running: User has reached queue work running job limit.",
    ),
    "111.heron-pbs": job("Q", "1:ncpus=8", queue="R42", reserve_ID="R42.heron-pbs"),
}


def queue(**more):
    return {"queue_type": "Execution", "enabled": "True", "started": "True", **more}


QUEUES = {
    "work": queue(
        Priority=100,
        resources_max={"walltime": "24:00:00", "ngpus": 0},
        resources_default={"walltime": "01:00:00"},
        default_chunk={"Qlist": "work", "mem": "1gb"},
        max_run="[u:PBS_GENERIC=20],[o:PBS_ALL=100],[u:eve=1]",
        max_run_res={"ncpus": "[p:PBS_GENERIC=64]"},
    ),
    "gpus": queue(
        Priority=50, resources_min={"ngpus": 1}, default_chunk={"Qlist": "gpus", "mem": "1gb"}
    ),
    "route": queue(queue_type="Route", route_destinations="work,gpus"),
    "R42": queue(),
}
SERVER = {
    "heron-pbs.site.org": {
        "server_state": "Active",
        "scheduling": "True",
        "default_queue": "route",
        "query_other_jobs": "True",
        "resources_available": {"matlab": 10},
        "resources_assigned": {"matlab": 4, "ncpus": 68},
        "default_chunk": {"ncpus": 1},
        "backfill_depth": 2,
        "job_sort_formula": "queue_priority + eligible_time / 3600 * 10",
    }
}
RESERVATIONS = f"""Resv ID: R42.heron-pbs.site.org
Reserve_Name = course
Reserve_Owner = ben@login1.site.org
reserve_state = RESV_CONFIRMED
reserve_start = {at(180)}
reserve_end = {at(240)}
reserve_duration = 3600
queue = R42
Resource_List.select = 1:ncpus=8
resv_nodes = (h3[0]:ncpus=8)
Authorized_Users = +ana@*,ben@login1,-eve@*
reserve_count = 1

Resv ID: R43.heron-pbs.site.org
reserve_state = RESV_UNCONFIRMED
reserve_start = {at(600)}
reserve_end = {at(660)}

"""
SCHEDULER = """Sched default
    sched_host = heron-pbs.site.org
    scheduling = True
    opt_backfill_fuzzy = off

"""


def answers_of(jobs=JOBS, nodes=NODES, queues=QUEUES, server=SERVER, **more):
    """What the commands print, by the names of the questions."""
    texts = {
        "qstat": printed("Jobs", jobs),
        "pbsnodes": printed("nodes", nodes),
        "pbs_rstat": RESERVATIONS,
        "qstat_queues": printed("Queue", queues),
        "qstat_server": printed("Server", server),
        "qmgr": SCHEDULER,
    }
    return {name: text for name, text in (texts | more).items() if text is not None}

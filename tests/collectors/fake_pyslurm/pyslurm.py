"""A pyslurm that tells what was recorded, and misbehaves as it is told to.

It is imported by the real process that asks pyslurm. The file named by FAKE_PYSLURM holds JSON:
`recorded`, a file of recorded objects; `does`, what goes wrong; `job`, values that jobs have
instead; `version`; `number`, the library's.
"""

import ctypes
import enum
import json
import os
import re
import signal
import sys
import time
from pathlib import Path

TOLD = json.loads(Path(os.environ["FAKE_PYSLURM"]).read_text())
RECORDED = json.loads(Path(TOLD["recorded"]).read_text())
DOES = TOLD.get("does", "")
BUNDLES = {"requested_tres", "allocated_tres"}

__version__ = TOLD.get("version", RECORDED["version"])


class PyslurmError(Exception):
    pass


class RPCError(PyslurmError):
    def __init__(self, errno, msg):
        self.errno, self.msg = errno, msg
        super().__init__(msg)


class Thing:
    """An object with the recorded attributes, and no others."""

    def __init__(self, values):
        self.__dict__.update({name: self.shaped(name, value) for name, value in values.items()})

    @staticmethod
    def shaped(name, value):
        if name == "flags" and isinstance(value, str):
            return flags(re.findall(r"[A-Z_]{3,}", value))
        bundle = name in BUNDLES or name.startswith(("group_tres", "max_tres", "tres_per"))
        return Bundle(value) if bundle and isinstance(value, dict) else value


class Bundle:
    """Trackable resources: an amount each, generic ones and licenses by name."""

    def __init__(self, amounts):
        self.gres, self.license = {}, {}
        for kind, amount in amounts.items():
            if kind in {"gres", "license"}:
                getattr(self, kind).update({n: whole(each) for n, each in amount.items()})
            elif amount:
                setattr(self, kind, whole(amount))


def whole(amount):
    """Return an amount: an object since 25.11."""
    return Thing(amount) if isinstance(amount, dict) else amount


class Job(Thing):
    def get_resource_layout_per_node(self):
        if DOES == "crash in layout":
            os.kill(os.getpid(), signal.SIGSEGV)
        return {"n01": {"cpu_ids": "0-1,3", "gres": {}, "memory": 1500}}

    @property
    def comment(self):
        if DOES == "stumble":
            raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")
        if DOES == "huge":
            return "x" * 500_000
        raise AttributeError

    @property
    def memory_per_gpu(self):
        if DOES == "memory per gpu":
            raise IndexError("list index out of range")


def flags(names):
    kind = enum.Flag("ReservationFlags", sorted({*names, "SPECIFIC_NODES"}))
    found = kind(0)
    for name in names:
        found |= kind[name]
    return found


def refuse():
    if DOES == "hang":
        time.sleep(3600)
    if DOES == "exit":
        sys.stderr.write("slurm: fatal: something is very wrong\n")
        os._exit(1)
    if DOES == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if DOES == "print":
        sys.stdout.write("hello from Python\n")
        os.write(1, b"hello again\n")
    if DOES == "garble":
        os.write(3, b"{hello among the answers}\n")
    if DOES == "half":
        os.write(3, b'{"exit": 0, "bytes": 100}\nshort')
        os._exit(0)
    if DOES == "negative":
        os.write(3, b'{"exit": 0, "bytes": -1}\n')
    if DOES == "chatter":
        sys.stderr.write("slurm: error: again\n" * 50_000)
    if DOES == "slow":
        time.sleep(0.5)
    if DOES == "unreachable":
        raise RPCError(1800, "Unable to contact slurm controller")
    if DOES == "memory":
        raise MemoryError
    if DOES == "deep":
        raise RecursionError("maximum recursion depth exceeded")
    if DOES == "leave":
        raise SystemExit(3)


def kept(kind, of=Thing):
    class Kept:
        @staticmethod
        def load():
            refuse()
            more = TOLD.get("job", {}) if kind == "jobs" else {}
            found = RECORDED[kind] if isinstance(RECORDED[kind], list) else [RECORDED[kind]]
            return {number: of(each | more) for number, each in enumerate(found)}

    return Kept


class slurmctld:  # noqa: N801  # a module in pyslurm
    @staticmethod
    def ping_primary():
        if DOES == "no ping":
            raise RPCError(1800, "Unable to contact slurm controller (connect failure)")


if DOES == "no library":
    raise ImportError("libslurm.so.44: cannot open shared object file: No such file or directory")
if DOES == "broken":
    raise RuntimeError("module compiled against another version")
if DOES == "no slurm.conf":
    sys.stderr.write("slurm: fatal: Could not establish a configuration source\n")
    os._exit(1)
if DOES == "needs more":
    import a_module_that_nobody_has  # noqa: F401
if "number" in TOLD:
    ctypes.CDLL(TOLD["number"], ctypes.RTLD_GLOBAL)
if DOES != "old":
    Jobs, Nodes, Partitions = kept("jobs", Job), kept("nodes"), kept("partitions")
if "reservations" in RECORDED:
    Reservations = kept("reservations")


class db:  # noqa: N801  # a module in pyslurm
    Associations = kept("associations")


class licenses:  # noqa: N801  # as pyslurm calls it
    def get(self):
        return RECORDED["licenses"]


if "config" in RECORDED:

    class Config(Thing):
        scheduler_parameters = None

        @staticmethod
        def load():
            return Config(RECORDED["config"])

    slurmctld.Config = Config
    slurmctld.diag = lambda: Thing(RECORDED["diag"])

"""A real Slurm on loopback: own keys, ports, controller and nodes, apart from any other."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from live.layout import OVERLAPPING, Layout, slurm_conf

ORDINARY_USER = "nobody"
GPU_FILES = 4
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "setpriv")


@dataclass(frozen=True, slots=True, kw_only=True)
class Slurm:
    """A running Slurm, and how to talk to it."""

    root: Path
    """Holds all its files; every user may look inside."""
    layout: Layout = OVERLAPPING
    daemons: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def environment(self) -> Mapping[str, str]:
        """What programs need in order to talk to this Slurm, and to no other."""
        return {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "LANG": "C.UTF-8",
            "SLURM_CONF": str(self.root / "slurm.conf"),
            "SLURM_TIME_FORMAT": "%s",
        }

    def run(self, *command: str, user: str = "root") -> str:
        """Return what a command of Slurm's prints when `user` runs it. Raises RuntimeError."""
        done = subprocess.run(
            command,
            env=self.environment,
            cwd="/",
            **identity(user),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)}: {done.stdout}{done.stderr}")
        return done.stdout

    def succeeds(self, *command: str) -> bool:
        """Return whether a command of Slurm's ends well."""
        with suppress(RuntimeError):
            self.run(*command)
            return True
        return False

    def submit(self, *options: str, seconds: int = 60, user: str = ORDINARY_USER) -> str:
        """Let an ordinary user submit a job that sleeps for `seconds`; returns its id."""
        job = ("--output=/dev/null", f"--wrap=exec sleep {seconds}")
        return self.run("sbatch", "--parsable", *options, *job, user=user).strip()

    def starts(self) -> dict[str, int]:
        """Return when each job that has started did so, by id, array tasks one by one."""
        lines = self.run("squeue", "-hr", "-t", "all", "-O", "JobArrayID,StateCompact,StartTime")
        records = (line.split() for line in lines.splitlines())
        return {job: int(start) for job, state, start in records if state not in ("PD", "CA")}

    def spawn(self, name: str, *command: str, user: str = "root") -> None:
        """Start a daemon in a process group of its own, which ends when we do, however we end."""
        with (self.root / "log" / f"{name}.out").open("ab") as output:
            self.daemons[name] = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", *command],
                env=self.environment,
                cwd="/",
                **identity(user),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def stop(self, name: str) -> None:
        """End a daemon, by force if it takes too long. None by that name: nothing happens."""
        if (daemon := self.daemons.pop(name, None)) is None:
            return
        daemon.send_signal(signal.SIGCONT)
        daemon.terminate()
        try:
            daemon.wait(timeout=10)
        except subprocess.TimeoutExpired:
            os.killpg(daemon.pid, signal.SIGKILL)
            daemon.wait()

    def start_controller(self) -> None:
        """Start the controller and return once it answers."""
        self.spawn("slurmctld", "slurmctld", "-D", user="slurm")
        wait_until(lambda: self.succeeds("scontrol", "ping"), "the controller")

    def stop_controller(self) -> None:
        """End the controller; the nodes and their jobs go on."""
        self.stop("slurmctld")

    def freeze_controller(self) -> None:
        """Let the controller take questions without ever answering."""
        self.daemons["slurmctld"].send_signal(signal.SIGSTOP)

    def thaw_controller(self) -> None:
        """Let a frozen controller go on."""
        self.daemons["slurmctld"].send_signal(signal.SIGCONT)


def identity(user: str) -> dict[str, object]:
    """Return the arguments that make `subprocess` run a program as `user`."""
    return {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}


def wait_until(
    holds: Callable[[], bool], what: str, seconds: float = 20, *, every: float = 0.2
) -> None:
    """Return as soon as `holds()`, asked `every` so many seconds. Raises TimeoutError."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what}: not within {seconds:.0f} s")
        time.sleep(every)


def free_ports(count: int) -> list[int]:
    """Return as many different ports of the loopback interface as asked for."""
    with ExitStack() as held:
        sockets = [held.enter_context(closing(socket.socket())) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def missing(*more: str) -> str:
    """Return what the tests of this folder lack here, `more` programs included; empty: nothing."""
    if os.geteuid() != 0:
        return "a private Slurm needs root: its nodes start jobs as other users"
    absent = [program for program in (*PROGRAMS, *more) if shutil.which(program) is None]
    return f"not installed: {', '.join(absent)}" if absent else ""


def write_files(slurm: Slurm) -> None:
    """Lay out the folders, the munge key and the configuration of a new Slurm."""
    root, layout = slurm.root, slurm.layout
    for name, user in (("log", "slurm"), ("state", "slurm"), ("munge", "munge"), ("spool", "root")):
        (root / name).mkdir(mode=0o755)
        shutil.chown(root / name, user)
    key = root / "munge" / "key"
    key.touch(mode=0o600)
    key.write_bytes(os.urandom(128))
    shutil.chown(key, "munge")
    ports = free_ports(1 + len(layout.nodes))
    (root / "slurm.conf").write_text(slurm_conf(root, layout, ports))
    # Nothing here uses cgroups, but a node that looks for them itself wants them, or systemd.
    (root / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")
    if layout.topology:
        (root / "topology.conf").write_text(layout.topology)
    for name, script in layout.programs.items():
        (root / name).write_text(script.replace("{root}", str(root)))
        (root / name).chmod(0o755)
    if layout.gres:
        (root / "gres.conf").write_text(layout.gres.format(root=root))
        for number in range(GPU_FILES):
            (root / f"gpu{number}").touch()


def nothing_else(_: Slurm) -> None:
    """Start no accounting."""


@contextmanager
def running(
    layout: Layout = OVERLAPPING, accounting: Callable[[Slurm], None] = nothing_else
) -> Iterator[Slurm]:
    """Run a Slurm in a folder that is gone afterwards, as its jobs are.

    `accounting` starts what the controller wants to find when it comes up. Raises RuntimeError
    with the daemons' last words if they do not come up.
    """
    with tempfile.TemporaryDirectory(prefix="queuecast-live-") as folder:
        slurm = Slurm(root=Path(folder), layout=layout)
        slurm.root.chmod(0o755)
        try:
            write_files(slurm)
            try:
                start(slurm, accounting)
            except (TimeoutError, RuntimeError) as error:
                raise RuntimeError(f"{error}\n{last_words(slurm)}") from error
            yield slurm
        finally:
            stop_everything(slurm)


def start(slurm: Slurm, accounting: Callable[[Slurm], None]) -> None:
    """Start all daemons; returns once every node can take a job."""
    munge = slurm.root / "munge"
    files = {"socket": "socket", "key-file": "key", "pid-file": "pid", "log-file": "log",
             "seed-file": "seed"}  # fmt: skip
    options = [f"--{option}={munge / name}" for option, name in files.items()]
    slurm.spawn("munged", "munged", "--foreground", *options, user="munge")
    wait_until((munge / "socket").exists, "munged")
    accounting(slurm)
    slurm.start_controller()
    for node in slurm.layout.nodes:
        (slurm.root / "spool" / node).mkdir()
        slurm.spawn(node, "slurmd", "-D", "-N", node)
    idle = ("sinfo", "-ahN", "-t", "idle", "-o", "%N")
    wait_until(lambda: set(slurm.run(*idle).split()) == set(slurm.layout.nodes), "the nodes")


def last_words(slurm: Slurm) -> str:
    """Return the end of what each daemon said."""
    outputs = sorted((slurm.root / "log").glob("*.out"))
    return "\n".join(f"{file.name}: {file.read_text(errors='replace')[-500:]}" for file in outputs)


def stop_everything(slurm: Slurm) -> None:
    """End all daemons, then whatever of their jobs is left."""
    for name in reversed(list(slurm.daemons)):
        slurm.stop(name)
    mark = f"SLURM_CONF={slurm.environment['SLURM_CONF']}".encode()
    for process in Path("/proc").glob("[0-9]*"):
        # A job's keeper leaves the process group of its node, but not its environment.
        with suppress(OSError):
            if mark in (process / "environ").read_bytes().split(b"\0"):
                os.kill(int(process.name), signal.SIGKILL)

"""What we ask Slurm's library. All of it only reads."""

from collectors.slurm.questions import Question
from predictor.domain import Fact

_WISHED = "JobID:|,tres-per-job:|,tres-per-socket:|,tres-per-task:|"

JOBS = Question(name="pyslurm_jobs", argv=("pyslurm", "Jobs.load"), fact=Fact.JOBS, vital=True)
NODES = Question(name="pyslurm_nodes", argv=("pyslurm", "Nodes.load"), fact=Fact.NODES)
DIAGNOSIS = Question(name="pyslurm_diag", argv=("pyslurm", "slurmctld.diag"), fact=Fact.HEALTH)
CONFIG = Question(
    name="pyslurm_config",
    argv=("pyslurm", "slurmctld.Config.load"),
    fact=Fact.SETTINGS,
    slow=True,
)
PARTITIONS = Question(
    name="pyslurm_partitions",
    argv=("pyslurm", "Partitions.load"),
    fact=Fact.PARTITIONS,
    slow=True,
    always=True,
)
RESERVATIONS = Question(
    name="pyslurm_reservations", argv=("pyslurm", "Reservations.load"), fact=Fact.RESERVATIONS
)
ASSOCIATIONS = Question(
    name="pyslurm_assoc",
    argv=("pyslurm", "db.Associations.load"),
    fact=Fact.ASSOCIATIONS,
    slow=True,
)
LICENSES = Question(
    name="pyslurm_licenses", argv=("pyslurm", "licenses.get"), fact=Fact.LICENSES, slow=True
)
GRES_WISHES = Question(
    name="gres_wishes",
    argv=("squeue", "-ah", "-t", "all", "-O", _WISHED),
    fact=Fact.JOBS,
)
"""See `wishes`."""
ALL = (
    JOBS,
    NODES,
    DIAGNOSIS,
    CONFIG,
    PARTITIONS,
    RESERVATIONS,
    ASSOCIATIONS,
    LICENSES,
    GRES_WISHES,
)
"""What can be asked besides what Slurm's commands are."""

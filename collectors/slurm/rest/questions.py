"""What we ask slurmrestd, and the one command that nobody else needs."""

from collectors.slurm.questions import Question
from collectors.slurm.rest.routes import OPENAPI
from predictor.domain import Fact

ROUTES = Question(name="rest_routes", argv=("GET", OPENAPI), fact=Fact.JOBS, slow=True, vital=True)
JOBS = Question(name="rest_jobs", argv=("GET", "slurm/jobs"), fact=Fact.JOBS, vital=True)
NODES = Question(name="rest_nodes", argv=("GET", "slurm/nodes"), fact=Fact.NODES, vital=True)
RESERVATIONS = Question(
    name="rest_reservations", argv=("GET", "slurm/reservations"), fact=Fact.RESERVATIONS
)
SHARES = Question(name="rest_shares", argv=("GET", "slurm/shares"), fact=Fact.FAIRSHARE)
DIAGNOSIS = Question(name="rest_diag", argv=("GET", "slurm/diag"), fact=Fact.HEALTH)
CONFIG = Question(name="rest_conf", argv=("GET", "slurm/conf"), fact=Fact.SETTINGS, slow=True)
PARTITIONS = Question(
    name="rest_partitions",
    argv=("GET", "slurm/partitions"),
    fact=Fact.PARTITIONS,
    slow=True,
    always=True,
)
LICENSES = Question(
    name="rest_licenses", argv=("GET", "slurm/licenses"), fact=Fact.LICENSES, slow=True
)
QOS = Question(name="rest_qos", argv=("GET", "slurmdb/qos"), fact=Fact.QOS, slow=True)
ASSOCIATIONS = Question(
    name="rest_assoc", argv=("GET", "slurmdb/associations"), fact=Fact.ASSOCIATIONS, slow=True
)
PLANNED = Question(
    name="planned",
    argv=("squeue", "-aht", "PD", "-O", "JobID:|,SchedNodes:|"),
    fact=Fact.JOBS,
)
ALL = (
    ROUTES,
    JOBS,
    NODES,
    RESERVATIONS,
    SHARES,
    DIAGNOSIS,
    CONFIG,
    PARTITIONS,
    LICENSES,
    QOS,
    ASSOCIATIONS,
    PLANNED,
)
"""What can be asked besides what Slurm's commands are."""

"""The tables of background work: Job, Agent, Lease, Command. `queue`, `claims`, `leases` and `roster` write them."""

from django.db import models
from django.db.models import Q

from opilio.catalogue.identified import Identified
from opilio.jobs.states import UNFINISHED, AgentState, JobState, Order, Priority

OWNER_LENGTH = 160
KEY_LENGTH = 200


class Job(Identified):
    """Background work that must survive a crash."""

    kind = models.CharField(max_length=100, help_text="Which payload class, and so which runner.")
    payload = models.JSONField(help_text="The data of the payload class.")
    state = models.CharField(max_length=12, choices=JobState.choices, default=JobState.READY)
    priority = models.SmallIntegerField(default=Priority.NORMAL.value, help_text="The lower number goes first.")
    run_after = models.DateTimeField(help_text="Not started before this time.")
    attempts = models.PositiveSmallIntegerField(default=0, help_text="How often an agent has taken it.")
    max_attempts = models.PositiveSmallIntegerField(help_text="After so many attempts it is dead.")
    dedup_key = models.CharField(
        max_length=KEY_LENGTH, blank=True, default="", help_text="Only one unfinished job of its kind may have it."
    )

    tag = models.CharField(
        max_length=100, blank=True, default="", help_text="Whose it is, for agents that do not take everybody's."
    )
    for_agent = models.CharField(max_length=64, blank=True, default="", help_text="Name of the agent that it is for.")

    owner = models.CharField(max_length=OWNER_LENGTH, blank=True, default="", help_text="Which agent holds the lease.")
    epoch = models.BigIntegerField(default=0, help_text="Fencing token; rises at each claim, never falls.")
    lease_until = models.DateTimeField(null=True, blank=True, help_text="When others may take it, without a heartbeat.")
    heartbeat_at = models.DateTimeField(null=True, blank=True, help_text="When its agent last renewed the lease.")

    percent = models.PositiveSmallIntegerField(null=True, blank=True, help_text="How far it is, if that can be told.")
    progress = models.CharField(max_length=200, blank=True, default="", help_text="What it does now, in words.")
    last_error = models.TextField(blank=True, default="", help_text="Why the latest attempt did not succeed.")
    created = models.DateTimeField(help_text="When it was enqueued.")
    started = models.DateTimeField(null=True, blank=True, help_text="When it was first taken.")
    finished = models.DateTimeField(null=True, blank=True, help_text="When it was done, dead or cancelled.")
    correlation = models.CharField(max_length=64, blank=True, default="", help_text="Ties it to the request behind it.")

    class Meta:
        db_table = "job"
        indexes = [
            # The claim: ready ones in the order in which they go; what is finished does not lengthen the search.
            models.Index(fields=["state", "priority", "run_after", "id"], name="job_due"),
            models.Index(fields=["state", "lease_until"], name="job_lease"),
            models.Index(fields=["state", "finished"], name="job_finished"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "dedup_key"], name="job_dedup", condition=Q(state__in=UNFINISHED) & ~Q(dedup_key="")
            ),
            models.CheckConstraint(condition=Q(state__in=JobState.values), name="job_state_known"),
            models.CheckConstraint(
                condition=Q(state=JobState.RUNNING, lease_until__isnull=False)
                | (~Q(state=JobState.RUNNING) & Q(lease_until__isnull=True)),
                name="job_leased_while_running",
            ),
        ]

    def __str__(self) -> str:
        return f"job {self.pk} ({self.kind}, {self.state})"


class Agent(Identified):
    """One run of a process that takes jobs."""

    name = models.CharField(max_length=64, help_text="What people call it.")
    machine = models.CharField(max_length=255, help_text="Where it runs.")
    pid = models.PositiveIntegerField(help_text="Its process there.")
    slots = models.PositiveSmallIntegerField(help_text="How many jobs it runs at a time.")
    version = models.CharField(max_length=40, help_text="Of Opilio.")
    state = models.CharField(max_length=12, choices=AgentState.choices, default=AgentState.WORKING)
    capabilities = models.JSONField(default=list, help_text="The kinds of job that it can run.")
    room = models.JSONField(default=dict, help_text="Kinds with slots of their own, and how many.")
    health = models.JSONField(default=dict, help_text="Free memory, disk and processor time at its last heartbeat.")
    started = models.DateTimeField(help_text="When it registered.")
    heartbeat_at = models.DateTimeField(help_text="When it last said that it lives.")
    ended = models.DateTimeField(null=True, blank=True, help_text="When it stopped or was found lost.")

    class Meta:
        db_table = "agent"
        indexes = [models.Index(fields=["state", "heartbeat_at"], name="agent_silent")]
        constraints = [models.CheckConstraint(condition=Q(state__in=AgentState.values), name="agent_state_known")]

    def __str__(self) -> str:
        return f"agent {self.name}#{self.pk}"


class Lease(Identified):
    """The right to be the only one who does something, such as sealing the audit chain."""

    name = models.CharField(max_length=100, unique=True)
    owner = models.CharField(max_length=OWNER_LENGTH, blank=True, default="", help_text="Empty: given back.")
    epoch = models.BigIntegerField(default=0, help_text="Fencing token; rises at each acquisition, never falls.")
    until = models.DateTimeField(help_text="When others may take it, unless it is renewed.")

    class Meta:
        db_table = "lease"

    def __str__(self) -> str:
        return f"lease {self.name} ({self.owner or 'free'})"


class Command(Identified):
    """What a person tells an agent, or the runner of a job, to do."""

    agent = models.ForeignKey(Agent, null=True, blank=True, on_delete=models.CASCADE, related_name="commands")
    job = models.ForeignKey(Job, null=True, blank=True, on_delete=models.CASCADE, related_name="commands")
    what = models.CharField(max_length=12, choices=Order.choices)
    by = models.CharField(max_length=200, help_text="Who gave it; kept as text so that it outlives the user.")
    at = models.DateTimeField(help_text="When it was given.")
    done = models.DateTimeField(null=True, blank=True, help_text="When it was obeyed.")

    class Meta:
        db_table = "command"
        constraints = [
            models.CheckConstraint(
                condition=Q(agent__isnull=False, job__isnull=True) | Q(agent__isnull=True, job__isnull=False),
                name="command_to_one",
            ),
            models.CheckConstraint(condition=Q(what__in=Order.values), name="command_known"),
        ]

    def __str__(self) -> str:
        return f"{self.what} to {self.agent or self.job}"

"""Asking for permission and for corrections: templates (PERMISSION_TEMPLATE), what was said, single-use invitations."""

from django.db import models

from opilio.catalogue.curated import Curated
from opilio.catalogue.identified import Identified
from opilio.curation.models.permission import Permission
from opilio.curation.models.target import Target


class TemplateKind(models.TextChoices):
    """How a request goes out; the values are the seed's."""

    PRINT = "Print Template", "Letter"
    EMAIL = "Email Template", "E-mail"


class PermissionTemplate(Curated):
    """The text of a permission request, with placeholders."""

    agency = models.ForeignKey("people.Agency", on_delete=models.PROTECT, related_name="permission_templates")
    name = models.CharField(max_length=255, help_text="Name of the template.")
    description = models.TextField(max_length=4_000, blank=True, help_text="What it is for.")
    kind = models.CharField(max_length=32, choices=TemplateKind.choices, default=TemplateKind.EMAIL)
    text = models.TextField(max_length=32_000, help_text="The text; placeholders stand in braces, as {contact_name}.")
    subject = models.CharField(max_length=255, blank=True, help_text="Subject of the e-mail.")
    override_from = models.BooleanField(
        default=False, help_text="Whether it is sent in another name than the agency's."
    )
    sender = models.EmailField(max_length=255, blank=True, help_text="That other address.")
    cc = models.CharField(max_length=2_048, blank=True, help_text="Who receives a copy; addresses with commas.")
    bcc = models.CharField(max_length=2_048, blank=True, help_text="Who receives a hidden copy.")
    reply_to = models.EmailField(max_length=255, blank=True, help_text="Where answers go.")

    class Meta:
        db_table = "permission_template"
        ordering = ["name", "id"]
        base_manager_name = "everything"
        constraints = [
            models.UniqueConstraint(
                fields=["agency", "name"], condition=models.Q(deleted=False), name="permission_template_unique",
                violation_error_message="The agency has a template of this name already.",
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.name


class Channel(models.TextChoices):
    """By which way something was said."""

    LETTER = "letter", "Letter"
    EMAIL = "email", "E-mail"
    PHONE = "phone", "Telephone"
    FORM = "form", "Answer form"
    MEETING = "meeting", "Meeting"
    REMINDER = "reminder", "Reminder"


class Communication(Identified):
    """Something that was said about a permission; never changed afterwards."""

    permission = models.ForeignKey(Permission, on_delete=models.CASCADE, related_name="communications")
    at = models.DateTimeField()
    channel = models.CharField(max_length=16, choices=Channel.choices)
    outgoing = models.BooleanField()
    subject = models.CharField(max_length=255, blank=True)
    text = models.TextField(max_length=32_000, blank=True)
    address = models.CharField(max_length=320, blank=True)  # to whom, or from whom
    by = models.ForeignKey("people.User", null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        db_table = "communication"
        ordering = ["-at", "-id"]
        indexes = [models.Index(fields=["permission", "-at"], name="communication_permission")]

    def __str__(self) -> str:
        return self.subject or self.text[:60]


class Purpose(models.TextChoices):
    """What an invitation asks for."""

    ANSWER = "answer", "Answer a permission request"
    VERIFY = "verify", "Verify a target's description"


class Invitation(Identified):
    """A single-use way for somebody without an account to answer; only the digest of its token is kept."""

    purpose = models.CharField(max_length=16, choices=Purpose.choices)
    permission = models.ForeignKey(Permission, null=True, on_delete=models.CASCADE, related_name="invitations")
    target = models.ForeignKey(Target, null=True, on_delete=models.CASCADE, related_name="invitations")
    digest = models.CharField(max_length=64, unique=True)
    email = models.CharField(max_length=320, blank=True)
    made_at = models.DateTimeField()
    made_by = models.ForeignKey("people.User", null=True, on_delete=models.SET_NULL, related_name="+")
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    used_from = models.CharField(max_length=64, blank=True)  # address that the answer came from
    revoked_at = models.DateTimeField(null=True, blank=True)
    answer = models.JSONField(default=dict)

    class Meta:
        db_table = "invitation"
        ordering = ["-made_at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(purpose="answer", permission__isnull=False, target=None)
                | models.Q(purpose="verify", target__isnull=False, permission=None),
                name="invitation_subject",
            )
        ]

    def __str__(self) -> str:
        return f"{self.purpose} by {self.email}"


class NominationState(models.TextChoices):
    """What became of a nomination."""

    WAITING = "waiting", "Waiting"
    ACCEPTED = "accepted", "Accepted"
    DECLINED = "declined", "Declined"


class Nomination(Curated):
    """A site that somebody from outside proposed."""

    agency = models.ForeignKey("people.Agency", on_delete=models.PROTECT, related_name="nominations")
    url = models.CharField(max_length=2_048)
    title = models.CharField(max_length=255, blank=True)
    reason = models.TextField(max_length=4_000, blank=True)
    name = models.CharField(max_length=255, blank=True)  # of whoever proposed it
    email = models.CharField(max_length=255, blank=True)
    received_from = models.CharField(max_length=64, blank=True)  # network address
    state = models.CharField(max_length=16, choices=NominationState.choices, default=NominationState.WAITING)
    decided_at = models.DateTimeField(null=True, blank=True)
    note = models.TextField(max_length=4_000, blank=True)
    target = models.ForeignKey(Target, null=True, blank=True, on_delete=models.SET_NULL, related_name="nominations")

    class Meta:
        db_table = "nomination"
        ordering = ["-created", "-id"]
        base_manager_name = "everything"
        indexes = [models.Index(fields=["agency", "state", "-created"], name="nomination_state")]

    def __str__(self) -> str:
        return self.title or self.url

"""What is known about the quality of results: limits per agency, what was measured, one recommendation; flags."""

from django.db import models

from opilio.catalogue.curated import Curated
from opilio.catalogue.identified import Identified
from opilio.curation.models.result import Result


class Advice(models.IntegerChoices):
    """What is recommended; the highest number of all indicators wins."""

    NONE = 0, "None"
    RUNNING = 1, "Running"
    ENDORSE = 2, "Endorse"
    LOOK = 3, "Look at pages"
    PATCH = 4, "Patch"
    DELIST = 5, "Delist"
    REJECT = 6, "Reject"
    FAILED = 7, "Failed"


class Indicator(Curated):
    """A limit that an agency sets for something that is measured of each result."""

    agency = models.ForeignKey("people.Agency", on_delete=models.CASCADE, related_name="indicators")
    code = models.CharField(max_length=32, help_text="What is measured.")
    tolerance = models.FloatField(
        null=True, blank=True, help_text="Percent by which it may differ from the reference harvest."
    )
    lower = models.FloatField(null=True, blank=True, help_text="Less than this: reject.")
    upper = models.FloatField(null=True, blank=True, help_text="More than this: look, or reject.")
    active = models.BooleanField(default=True, help_text="Whether it counts.")

    class Meta:
        db_table = "indicator"
        ordering = ["agency", "code"]
        base_manager_name = "everything"
        constraints = [
            models.UniqueConstraint(
                fields=["agency", "code"], condition=models.Q(deleted=False), name="indicator_once",
                violation_error_message="The agency has limits for this already.",
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.code


class ReviewPolicy(Curated):
    """What an agency leaves to rules; everything is off until it is switched on."""

    agency = models.OneToOneField("people.Agency", on_delete=models.CASCADE, related_name="review_policy")
    four_eyes = models.BooleanField(default=False, help_text="Whether a second person must agree to an endorsement.")
    auto_endorse = models.BooleanField(
        default=False, help_text="Whether results that every indicator recommends are endorsed by themselves."
    )
    auto_endorse_after = models.PositiveSmallIntegerField(
        default=3, help_text="Harvests of the target that people endorsed before."
    )
    auto_prune = models.BooleanField(
        default=False, help_text="Whether what was pruned from the last archived harvest is pruned again."
    )
    check_pages = models.PositiveSmallIntegerField(
        default=5, help_text="Important pages replayed in a browser; 0: none."
    )
    sample_percent = models.PositiveSmallIntegerField(default=5, help_text="Pages proposed for review, in percent.")
    reference_required = models.BooleanField(
        default=False, help_text="Whether a harvest is archived only if its target has a reference number."
    )
    delist_after = models.PositiveSmallIntegerField(
        default=2, help_text="Harvests in a row without a change, after which delisting is recommended."
    )

    class Meta:
        db_table = "review_policy"
        ordering = ["agency"]
        base_manager_name = "everything"

    def __str__(self) -> str:
        return f"review policy of agency {self.agency_id}"


class Assessment(Identified):
    """What was measured of a result, and what is recommended; made anew when the result is assessed again."""

    result = models.OneToOneField(Result, on_delete=models.CASCADE, related_name="assessment")
    made_at = models.DateTimeField()
    advice = models.PositiveSmallIntegerField(choices=Advice.choices, default=Advice.RUNNING)
    headline = models.CharField(max_length=500, blank=True)
    reference = models.BigIntegerField(null=True)  # harvest it was compared with
    pages = models.PositiveIntegerField(default=0)  # pages in the result
    clusters = models.PositiveIntegerField(default=0)
    sample = models.PositiveIntegerField(default=0)  # pages proposed for review
    completeness = models.FloatField(null=True)  # embeds captured of those requested, 0 to 1
    sheet = models.JSONField(default=dict)  # reasons ranked, pages to look at, URLs to patch, page checks; bounded
    digest = models.CharField(max_length=80, blank=True)  # of the result that was assessed
    failure = models.TextField(max_length=4_000, blank=True)

    class Meta:
        db_table = "assessment"
        ordering = ["id"]
        indexes = [models.Index(fields=["advice"], name="assessment_advice")]

    def __str__(self) -> str:
        return f"assessment of result {self.result_id}"


class IndicatorValue(Identified):
    """One indicator of an assessment: the measure, what it was compared with, and what it advises."""

    assessment = models.ForeignKey(Assessment, on_delete=models.CASCADE, related_name="values")
    code = models.CharField(max_length=32)
    value = models.FloatField()
    reference = models.FloatField(null=True)
    tolerance = models.FloatField(null=True)
    lower = models.FloatField(null=True)
    upper = models.FloatField(null=True)
    advice = models.PositiveSmallIntegerField(choices=Advice.choices)
    reason = models.CharField(max_length=1_000)
    evidence = models.JSONField(default=list)  # lines that caused it; bounded

    class Meta:
        db_table = "indicator_value"
        ordering = ["assessment", "id"]
        constraints = [models.UniqueConstraint(fields=["assessment", "code"], name="indicator_value_once")]

    def __str__(self) -> str:
        return f"{self.code} {self.value}"


class Flag(Curated):
    """A coloured mark that an agency puts on harvests."""

    agency = models.ForeignKey("people.Agency", on_delete=models.CASCADE, related_name="flags")
    name = models.CharField(max_length=64, help_text="What the mark means.")
    colour = models.CharField(max_length=7, help_text="Colour, as #rrggbb.")

    class Meta:
        db_table = "flag"
        ordering = ["agency", "name", "id"]
        base_manager_name = "everything"
        constraints = [
            models.UniqueConstraint(
                fields=["agency", "name"], condition=models.Q(deleted=False), name="flag_once",
                violation_error_message="The agency has a flag of this name already.",
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.name

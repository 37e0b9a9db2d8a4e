"""The forms of takedowns."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar

from django import forms
from django.http import HttpRequest

from opilio.curation.days import end_of, start_of
from opilio.curation.kinds import TAKEDOWN
from opilio.curation.words import TakedownLevel
from opilio.kernel.access_where import Reach
from opilio.web.forms.base import Groups, PageForm, VersionedForm
from opilio.web.forms.fields import column

_DAY = forms.DateInput(attrs={"type": "date"})
_LARGEST = 2**63 - 1
_LEVELS = {
    TakedownLevel.HIDE: "Hide: readers find nothing, the agency's people still do",
    TakedownLevel.BLOCK: "Block: nobody sees it; a page says so",
    TakedownLevel.DESTROY: "Destroy: the bytes are removed everywhere, for good",
}
_REACHES = {
    Reach.URL: "One URL", Reach.PREFIX: "URLs that begin so", Reach.HOST: "A host",
    Reach.DOMAIN: "A domain with all its hosts", Reach.PATTERN: "URLs in which a pattern (RE2) is found",
    Reach.ALL: "All URLs of the target or harvest",
}  # fmt: skip


class TakedownForm(PageForm):
    """A takedown to be ordered."""

    groups: ClassVar[Groups] = (
        ("What", ("agency", "level", "reach", "value")),
        ("Only captures", ("target", "harvest", "from_day", "until_day")),
        ("By whose authority", ("authority", "reason", "reference", "review_on")),
    )
    level = forms.ChoiceField(label="Level", choices=list(_LEVELS.items()))
    reach = forms.ChoiceField(label="Reach", choices=[(reach.value, words) for reach, words in _REACHES.items()])
    value = column(TAKEDOWN, "value", required=False, widget=forms.Textarea(attrs={"rows": 2}))
    target = forms.IntegerField(
        label="Of target or group", required=False, min_value=1, max_value=_LARGEST, help_text="Its number."
    )
    harvest = forms.IntegerField(
        label="Of harvest", required=False, min_value=1, max_value=_LARGEST, help_text="Its number."
    )
    from_day = forms.DateField(label="Captured from", required=False, widget=_DAY, help_text="In your time zone.")
    until_day = forms.DateField(label="Captured until", required=False, widget=_DAY, help_text="That day included.")
    authority = column(TAKEDOWN, "authority")
    reason = column(TAKEDOWN, "reason")
    reference = column(TAKEDOWN, "reference", required=False)
    review_on = forms.DateField(
        label="Look at it again on", required=False, widget=_DAY, help_text="A task is made on that day."
    )

    def __init__(
        self, request: HttpRequest, *, agencies: Sequence[tuple[int, str]], initial: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(request, initial=initial)
        self.fields["agency"] = forms.TypedChoiceField(label="Agency", choices=agencies, coerce=int)


def order(data: Mapping[str, Any], zone: str) -> dict[str, Any]:
    """What was typed, as the action takes it."""
    given = {name: data[name] for name in ("level", "reach", "value", "authority", "reason", "reference")}
    return {
        **given, "agency_id": data["agency"], "target_id": data["target"], "harvest_id": data["harvest"],
        "captured_from": start_of(data["from_day"], zone) if data["from_day"] else None,
        "captured_to": _end(data["until_day"], zone),
    }  # fmt: skip


def _end(day: Any, zone: str) -> datetime | None:
    return end_of(day, zone) if day else None


class LiftForm(VersionedForm):
    """Why a takedown is lifted."""

    why = forms.CharField(label="Why", max_length=4_000, widget=forms.Textarea(attrs={"rows": 4}))


class ReviewForm(VersionedForm):
    """What came of looking at a takedown again."""

    note = forms.CharField(
        label="What came of it", max_length=4_000, required=False, widget=forms.Textarea(attrs={"rows": 4})
    )
    review_on = forms.DateField(
        label="Look at it again on", required=False, widget=_DAY, help_text="Empty: nobody is asked again."
    )


class ProofForm(PageForm):
    """What was done elsewhere."""

    place = forms.CharField(label="Place", max_length=255, help_text="As the list of places names it, or another one.")
    what = forms.CharField(label="What was done", max_length=4_000, widget=forms.Textarea(attrs={"rows": 4}))
    done = forms.BooleanField(label="Nothing is left there", required=False, initial=True)

"""The parameters that an installation may change on a page, each with type, default and a sentence."""

from collections.abc import Iterable
from dataclasses import dataclass

from opilio.people.errors import InvalidFields
from opilio.people.models import Parameter
from opilio.people.remembering import once

Value = str | int | bool
_LONGEST_TEXT = 2_000


@dataclass(frozen=True, kw_only=True)
class Declared:
    """A parameter as it is declared."""

    name: str
    label: str
    sentence: str
    default: Value
    minimum: int = 0
    maximum: int = 0


@dataclass(frozen=True, kw_only=True)
class InForce:
    """A parameter as it is now."""

    value: Value
    version: int  # from 1; grows with every change, also when it is put back to its default or restored


PARAMETERS: tuple[Declared, ...] = (
    Declared(
        name="institution", label="Name of the institution", default="Opilio",
        sentence="Stands in the head of every page and in e-mail.",
    ),
    Declared(
        name="sign_in_notice", label="Notice on the sign-in page", default="",
        sentence="Shown to whoever is about to sign in, as house rules.",
    ),
    Declared(
        name="rows_per_page", label="Rows per page", default=50, minimum=10, maximum=500,
        sentence="How many rows a list shows at a time.",
    ),
    Declared(
        name="keep_notifications_days", label="Days to keep read notifications", default=90, minimum=1, maximum=3_650,
        sentence="Read notifications that are older are removed.",
    ),
    Declared(
        name="keep_webhook_days", label="Days to keep messages to webhooks", default=30, minimum=1, maximum=365,
        sentence="Messages that were sent or given up are kept this long, so that they can be sent again.",
    ),
    Declared(
        name="offer_cross_agency_search", label="Offer the agency filter", default=True,
        sentence="Whether lists offer a filter by agency to people who see several.",
    ),
    Declared(
        name="look_ahead_days", label="Days that schedules plan ahead", default=90, minimum=1, maximum=366,
        sentence="Harvests are planned this far ahead, and always at least the next one.",
    ),
    Declared(
        name="schedule_least_minutes", label="Least minutes between harvests", default=60, minimum=1, maximum=10_080,
        sentence="A schedule whose times lie closer together is refused.",
    ),
    Declared(
        name="heat_low_from", label="Heat map: some load from", default=1, minimum=1, maximum=1_000_000,
        sentence="Days with at least so many planned harvests have the first colour.",
    ),
    Declared(
        name="heat_medium_from", label="Heat map: medium load from", default=7, minimum=1, maximum=1_000_000,
        sentence="Days with at least so many planned harvests have the second colour.",
    ),
    Declared(
        name="heat_high_from", label="Heat map: high load from", default=12, minimum=1, maximum=1_000_000,
        sentence="Days with at least so many planned harvests have the third colour.",
    ),
    Declared(
        name="heat_low_colour", label="Heat map: colour of some load", default="8FBC8F",
        sentence="Six hexadecimal digits.",
    ),
    Declared(
        name="heat_medium_colour", label="Heat map: colour of medium load", default="F0E68C",
        sentence="Six hexadecimal digits.",
    ),
    Declared(
        name="heat_high_colour", label="Heat map: colour of high load", default="FF6347",
        sentence="Six hexadecimal digits.",
    ),
    Declared(
        name="strict_scheme", label="Patterns count for their own scheme", default=False,
        sentence="Whether a URL pattern that says http leaves out https, and the other way round.",
    ),
    Declared(
        name="wct_matching", label="Match as the Web Curator Tool 1.4", default=False,
        sentence="Whether new seeds are linked with permissions by that program's rules; for the time of moving over.",
    ),
    Declared(
        name="answer_form_days", label="Days that an answer form is open", default=60, minimum=1, maximum=730,
        sentence="How long an authorising agent can answer a permission request by the form.",
    ),
    Declared(
        name="reminder_days", label="Days until a reminder", default=21, minimum=1, maximum=365,
        sentence="How long a permission request waits for an answer before the authorising agent is reminded.",
    ),
    Declared(
        name="most_reminders", label="Most reminders", default=2, minimum=0, maximum=20,
        sentence="How often an authorising agent is reminded; after that, people are told that nobody answers.",
    ),
    Declared(
        name="expiry_warning_days", label="Days of warning before expiry", default=60, minimum=1, maximum=730,
        sentence="How long before its last day a permission is announced as expiring.",
    ),
    Declared(
        name="group_change_notices", label="Tell owners when groups change", default=True,
        sentence="Whether owners of groups are notified when somebody adds or removes members.",
    ),
    Declared(
        name="nominations_open", label="Nomination form", default=False,
        sentence="Whether everybody may propose a site on the page /nominate.",
    ),
    Declared(
        name="nominations_per_hour", label="Nominations per hour", default=10, minimum=1, maximum=1_000,
        sentence="How many sites one network address may propose in an hour; the whole world ten times as many.",
    ),
    Declared(
        name="verify_form_days", label="Days to verify a description", default=30, minimum=1, maximum=365,
        sentence="How long the form stays open on which an originator verifies the description of a target.",
    ),
    Declared(
        name="purge_automatically", label="Purge every day", default=True,
        sentence="Whether the data of rejected and aborted harvests is removed when its days are over.",
    ),
    Declared(
        name="purge_archived_automatically", label="Purge archived harvests too", default=False,
        sentence="Whether that holds for archived harvests; readers then find in the archive only what they had here.",
    ),
    Declared(
        name="purge_archived_days", label="Days to keep archived and rejected data", default=14, minimum=0,
        maximum=3_650, sentence="So long the data of archived and rejected harvests stays before it may be purged.",
    ),
    Declared(
        name="purge_aborted_days", label="Days to keep aborted data", default=7, minimum=0, maximum=3_650,
        sentence="So long the data of aborted harvests stays before it may be purged.",
    ),
    Declared(
        name="fixity_days", label="Days between readings of kept bytes", default=90, minimum=0, maximum=3_650,
        sentence="Within so many days every file that is kept is read and compared with its digest; 0: never.",
    ),
    Declared(
        name="fixity_repair", label="Repair from another copy", default=True,
        sentence="Whether a damaged file is replaced by a copy of the same digest, where there is one.",
    ),
    Declared(
        name="takedown_two_people", label="Two people destroy", default=True,
        sentence="Whether another person must confirm before captures are destroyed.",
    ),
    Declared(
        name="harvest_queue_paused", label="Queue is paused", default=False,
        sentence="Whether no harvest begins; those that run go on.",
    ),
    Declared(
        name="harvest_most_deferrals", label="Deferrals of a harvest", default=7, minimum=0, maximum=365,
        sentence="How often a harvest without a right is put off by a day before a person must decide.",
    ),
    Declared(
        name="harvest_early_hours", label="Hours of an early start", default=12, minimum=0, maximum=168,
        sentence="How long before its time a harvest that may begin early does so when agents are idle; 0: never.",
    ),
    Declared(
        name="harvest_reserved_slots", label="Slots kept free", default=1, minimum=0, maximum=100,
        sentence="How many harvests agents must still have room for before one begins early.",
    ),
    Declared(
        name="publish_hours", label="Hours between publications", default=24, minimum=0, maximum=8_760,
        sentence="The public index follows what is endorsed, rejected and withdrawn so often; 0: only by hand.",
    ),
    Declared(
        name="delivery_hours", label="Hours between delivery sessions", default=0, minimum=0, maximum=8_760,
        sentence="Agents visit the sources of all active centres so often; 0: only by hand.",
    ),
    Declared(
        name="delivery_downloaders", label="Deliveries fetched at once", default=2, minimum=1, maximum=64,
        sentence="How many downloaders a session has, if whoever starts it does not say.",
    ),
    Declared(
        name="delivery_validators", label="Documents validated at once", default=1, minimum=1, maximum=64,
        sentence="How many processes validate in a session, if whoever starts it does not say.",
    ),
    Declared(
        name="delivery_keep_days", label="Days to keep deliveries", default=0, minimum=0, maximum=36_500,
        sentence="So long the files of deliveries stay that were loaded or given up; 0: for ever. Records stay.",
    ),
    Declared(
        name="delivery_keep_revisions", label="Revisions of a delivery to keep", default=0, minimum=0, maximum=1_000,
        sentence="Of one name the files of so many of the newest revisions stay; 0: of all.",
    ),
    Declared(
        name="delivery_quarantine_days", label="Days of quarantine", default=90, minimum=0, maximum=36_500,
        sentence="So long the files of deliveries stay that could not be unpacked; 0: for ever.",
    ),
    Declared(
        name="broken_links_told_from", label="Tell about broken URLs from", default=0, minimum=0, maximum=1_000_000,
        sentence="Owners are told when a harvest ends with at least so many broken URLs; 0: nobody is told.",
    ),
    Declared(
        name="bandwidth_most_by_hand", label="Percent of the line by hand", default=80, minimum=1, maximum=100,
        sentence="How much of the line harvests with a share by hand may take together beside others.",
    ),
    Declared(
        name="bandwidth_least", label="Least bandwidth of a harvest", default=10, minimum=1, maximum=1_000_000,
        sentence="kB/s below which no further harvest begins.",
    ),
)  # fmt: skip
BY_NAME = {declared.name: declared for declared in PARAMETERS}


def value(name: str) -> Value:
    """What a parameter is now."""
    return once(("parameter", name), lambda: _value(name))


def _value(name: str) -> Value:
    row = Parameter.objects.filter(name=name).first()
    return BY_NAME[name].default if row is None else row.value


def values() -> dict[str, Value]:
    """All parameters as they are now, in one query."""
    changed = dict(Parameter.objects.values_list("name", "value"))
    return {declared.name: changed.get(declared.name, declared.default) for declared in PARAMETERS}


def in_force(rows: Iterable[Parameter] | None = None) -> dict[str, InForce]:
    """All parameters with their versions, in one query or from `rows`, which must hold the deleted ones too."""
    found = list(Parameter.everything.all() if rows is None else rows)
    changed = {row.name: row.value for row in found if not row.deleted}
    return {
        name: InForce(
            value=changed.get(name, declared.default),
            version=1 + sum(row.version for row in found if row.name == name),
        )
        for name, declared in BY_NAME.items()
    }


def parsed(name: str, text: str) -> Value:
    """What somebody typed, as the parameter's type; else `InvalidFields`."""
    declared = BY_NAME.get(name)
    if declared is None:
        raise InvalidFields({name[:64]: ["There is no such parameter."]})
    if isinstance(declared.default, bool):
        return text.strip().lower() in {"on", "true", "1", "yes"}
    if isinstance(declared.default, int):
        return _number(declared, text)
    if len(text) > _LONGEST_TEXT:
        raise InvalidFields({name: [f"Write at most {_LONGEST_TEXT} characters."]})
    return text.strip()


def _number(declared: Declared, text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = declared.minimum - 1
    if not declared.minimum <= number <= declared.maximum:
        raise InvalidFields({declared.name: [f"Write a number from {declared.minimum} to {declared.maximum}."]})
    return number

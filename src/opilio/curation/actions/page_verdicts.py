"""What a reviewer says about a page of a result: one verdict and note of each reviewer, changed as often as needed."""

from opilio.curation.kinds import RESULT
from opilio.curation.missing_urls import key_of, web_url
from opilio.curation.models import PageVerdict, Result, Verdict
from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.privileges import Privilege

_LONGEST = 4_000  # characters of a note
_LONGEST_CLUSTER = 80


@action("page.judge", "Say what one thinks of a page of a result.", privilege=Privilege.ENDORSE_HARVEST)
def judge_page(
    act: Act, /, *, result_id: int, url: str, verdict: str = "", note: str = "", cluster: str = "",
    version: int | None = None, by: int | None = None,
) -> PageVerdict:  # fmt: skip
    """Good, acceptable, bad, or nothing but a note; what the same reviewer said before is replaced.

    Only the operator at the machine, who is no user, may say whose verdict it is.
    """
    row: Result = act.fetch(RESULT, result_id)
    act.require(Privilege.ENDORSE_HARVEST, RESULT.subject(row), f"judge pages of {row}")
    page, words, whose = web_url(url), note.strip(), by if act.actor.user is None else act.actor.user
    if whose is None:
        raise InvalidFields({"by": ["A verdict is somebody's; name a user."]}, where=act.name)
    if verdict not in ("", *Verdict.values):
        raise InvalidFields({"verdict": [f"{verdict[:40]!r} is none of {', '.join(Verdict.values)}."]}, where=act.name)
    if not verdict and not words:
        raise InvalidFields({"verdict": ["Choose a verdict, or write a note."]}, where=act.name)
    if len(words) > _LONGEST:
        raise InvalidFields({"note": [f"At most {_LONGEST:,} characters can be kept."]}, where=act.name)
    said = {"verdict": verdict, "note": words, "cluster": cluster[:_LONGEST_CLUSTER]}
    return _said(act, row, page, whose, said, version)


def _said(
    act: Act, row: Result, url: str, by: int, said: dict[str, str], version: int | None
) -> PageVerdict:  # fmt: skip
    key = key_of(url)
    mine = PageVerdict.objects.select_for_update(of=("self",))
    found: PageVerdict | None = mine.filter(
        harvest=row.harvest_id, result=row.number, key=key, by=by
    ).first()  # fmt: skip
    if found is not None:
        act.update(found, said, version=version)
        return found
    made = PageVerdict(
        harvest_id=row.harvest_id, result=row.number, url=url, key=key, by_id=by, **said
    )  # fmt: skip
    return act.insert(made)

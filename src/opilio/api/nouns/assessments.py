"""What was measured of a result, and what is recommended; have it measured again; take what it lacks into the list."""

import datetime
from typing import Any

from ninja import Router
from pydantic import Field

from opilio.api.identifiers import Id, Identifier
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer
from opilio.curation.actions.assessments import assess_again
from opilio.curation.patch_proposals import take_proposals
from opilio.curation.queries import assessments, results

router = Router(tags=["results"])


class CoverageAnswer(Answer):
    """How much of a result people looked at."""

    pages: int
    pages_seen: int
    clusters: int
    clusters_seen: int
    standing_for: int = Field(description="Pages in the clusters that were looked into.")
    sample: int
    sample_seen: int
    bad: int


class IndicatorValueAnswer(Answer):
    """One measure with what it advises."""

    code: str
    value: float
    reference: float | None
    tolerance: float | None
    lower: float | None
    upper: float | None
    advice: str
    reason: str
    evidence: list[str]


class AssessmentAnswer(Answer):
    """What was measured of a result; without an assessment only `advice` (none) and `coverage` tell something."""

    advice: str = Field(description="none, running, endorse, look, patch, delist, reject or failed.")
    headline: str = ""
    made_at: datetime.datetime | None = None
    failure: str = ""
    reference: Id | None = Field(None, description="Harvest that it was compared with.")
    pages: int = 0
    clusters: int = 0
    sample: int = 0
    completeness: float | None = None
    digest: str = Field("", description="Digest of the file that was measured.")
    stale: bool = Field(False, description="Whether the result is another file now.")
    coverage: CoverageAnswer
    indicators: list[IndicatorValueAnswer] = []
    sheet: dict[str, Any] = Field({}, description="Pages to look at, URLs to patch, clusters, checks, differential.")


class AssessmentOrdered(Answer):
    """The result that is measured again."""

    result: Id


class ProposalsTaken(Answer):
    """What became of the URLs that an assessment found missing."""

    added: int
    known: int = Field(description="Stood on the list already.")


@router.get("/{result_id}/assessment", response=AssessmentAnswer)
def show_assessment(request: ApiRequest, result_id: Identifier) -> AssessmentAnswer:
    """Show what was measured of a result, and what is recommended."""
    row = results.result(request.auth, result_id)
    return AssessmentAnswer(**assessments.document(row))


@router.post("/{result_id}/assessment", response={202: AssessmentOrdered})
def order_assessment(request: ApiRequest, result_id: Identifier) -> AssessmentOrdered:
    """Have a result measured again.

    Needs ENDORSE_HARVEST over its harvest.
    """
    row = results.result(request.auth, result_id)
    assess_again(request.auth, result_id=row.pk)
    return AssessmentOrdered(result=str(row.pk))


@router.post("/{result_id}/assessment/patch-list", response=ProposalsTaken)
def take_assessment_proposals(request: ApiRequest, result_id: Identifier) -> ProposalsTaken:
    """Take the URLs that the assessment found missing into the list for a patch.

    Needs ENDORSE_HARVEST over its harvest.
    """
    taken = take_proposals(request.auth, results.result(request.auth, result_id))
    return ProposalsTaken(added=taken.added, known=taken.known)

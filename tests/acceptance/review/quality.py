"""Assessments for tests of the faces, made without measuring."""

from opilio.curation.actions.assessments import Made, keep_assessment
from opilio.curation.indicators import limits_of
from opilio.curation.models import Result
from opilio.curation.recommending import Known, recommend
from opilio.works.quality.values import (
    Checks,
    Cluster,
    Completeness,
    Differential,
    Figures,
    HostCount,
    Lines,
    Measured,
    MissingEmbed,
    NearDuplicates,
    PageCheck,
    PageCompleteness,
    RiskyPage,
)

HOSTILE = "http://owls.example/<script>alert(1)</script>\u202e"
LOST = "http://owls.example/lost.png"


def measured(**fields):
    """What a poor harvest came to; every text is hostile."""
    given = {
        "figures": Figures(bytes=5 << 20, urls=100, pages=40, seconds=300, finished=True, seeds=1, seeds_well=1,
                           errors=7, hosts=1, statuses={"200": 93, "404": 7}),
        "evidence": {"errors": Lines(total=7, listed=(HOSTILE,))},
        "completeness": Completeness(
            wanted=10, captured=8, incomplete=1, missing_total=2,
            worst=(PageCompleteness(url=HOSTILE, wanted=4, captured=2, missing=(LOST,)),),
            missing=(MissingEmbed(url=LOST, page="http://owls.example/", why="gone"),
                     MissingEmbed(url="http://owls.example/x.js", page=HOSTILE, why="never asked for"))),
        "duplicates": NearDuplicates(), "clusters_total": 1, "risky": (), "important": (),
        "clusters": (Cluster(key="k", label="owls.example/<b>*", pages=40, risk=3.5, examples=(HOSTILE,)),),
        "hosts": (HostCount(host="owls.example", urls=100, bytes=5 << 20),),
        "differential": Differential(matching=95, changed=3, missing=Lines(total=5, listed=(HOSTILE,)),
                                     new=Lines(total=1, listed=("http://owls.example/new",))),
        "before": Figures(bytes=5 << 20, urls=101, pages=40, seconds=300, hosts=1),
        "checks": Checks(pages=(PageCheck(url=HOSTILE, title="<i>Owls</i>", picture=0.1, live_picture=0.25,
                                          failed=Lines(total=1, listed=(LOST,))),)),
    }  # fmt: skip
    return Measured(**(given | fields))


def assessed(actor, result, *, reference=None, **fields):
    """Keep an assessment of a result, as an agent does."""
    sample = (RiskyPage(url=HOSTILE, title="<b>Owls</b>", cluster="k", risk=3.5, why="it lacks 2 of 4 embedded files"),)
    known = Known(measured=measured(**fields), sample=sample, reference="the harvest of 2026-01-01 (7)")
    made = Made(known=known, recommendation=recommend(known, limits_of({}, delist_after=2)), digest=result.digest,
                reference=reference)  # fmt: skip
    return keep_assessment(actor, result_id=result.pk, made=made)


def result_of(harvest, number=1):
    """A result of a harvest."""
    return Result.objects.get(harvest=harvest, number=number)

"""How much of a result people looked at: pages with a verdict, clusters of similar pages they stand for, the sample."""

from dataclasses import dataclass
from typing import Any

from opilio.curation.models import Assessment, PageVerdict, Result, Verdict
from opilio.works.quality.shapes import cluster_of


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """Counts; the totals are 0 where the result was not assessed."""

    pages: int = 0
    pages_seen: int = 0
    clusters: int = 0
    clusters_seen: int = 0
    standing_for: int = 0  # pages in the clusters that were looked into
    sample: int = 0
    sample_seen: int = 0
    bad: int = 0  # pages that somebody called bad

    @property
    def share(self) -> float | None:
        """Pages that those looked at stand for, of all, 0 to 1."""
        return min(1.0, self.standing_for / self.pages) if self.pages else None

    def document(self) -> dict[str, Any]:
        """For the audit log and for programs."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def coverage(result: Result) -> Coverage:
    """Of one result, by everybody's verdicts."""
    rows = PageVerdict.objects.filter(harvest_id=result.harvest_id, result=result.number)
    verdicts = list(rows.values_list("url", "cluster", "verdict"))
    made = Assessment.objects.filter(result=result).first()
    sheet: dict[str, Any] = made.sheet if made is not None else {}
    sample = {one["url"]: one["cluster"] for one in sheet.get("look", ())}
    sizes = {one["key"]: int(one["pages"]) for one in sheet.get("clusters", ())}
    seen = {url: cluster or sample.get(url) or cluster_of(url) for url, cluster, _ in verdicts}
    clusters = set(seen.values()) & sizes.keys() if sizes else set(seen.values())
    return Coverage(
        pages=made.pages if made else 0, pages_seen=len(seen), clusters=made.clusters if made else 0,
        clusters_seen=len(clusters), standing_for=sum(sizes.get(key, 0) for key in clusters), sample=len(sample),
        sample_seen=len(seen.keys() & sample.keys()),
        bad=len({url for url, _, verdict in verdicts if verdict == Verdict.BAD}),
    )  # fmt: skip

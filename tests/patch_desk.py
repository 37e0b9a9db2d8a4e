"""Harvests that can be patched: sealed ones with the snapshot of their plan, and the jobs that agents run for them."""

import json
from datetime import timedelta

from opilio.agents.context import RunContext
from opilio.agents.patches import patch_result
from opilio.agents.results import make_result
from opilio.archive.results.folder import ResultsFolder
from opilio.archive.results.view import ResultView
from opilio.curation import snapshots
from opilio.curation.models import Result, Seed, Snapshot, SnapshotPart
from opilio.curation.patch_jobs import PatchResult
from opilio.curation.result_jobs import MakeResult
from opilio.jobs import claims
from tests.review_desk import ReviewDesk, crawled

LEASE = timedelta(seconds=60)


class PatchDesk(ReviewDesk):
    """A desk with harvests whose plan was frozen."""

    def patchable(self, home, *, results=1, permission=True, **plan):
        """A sealed harvest of the site of `crawled()`, with the right to it and its snapshot; its first result."""
        row = self.target(state=5)
        seed = self.seed(row, crawled().url("/"))
        allowed = self.permission(f"http://127.0.0.1:{crawled().port}/*", agency=row.agency)
        if permission:
            self.link(seed, allowed)
        harvest = self.sealed(home, row, results=results)
        self.freeze(harvest, **plan)
        return Result.objects.get(harvest=harvest, number=1)

    def freeze(self, harvest, **changes):
        """The snapshot of a harvest: the plan of its crawl, with changes of its sections."""
        with ResultView(ResultsFolder(crawled().folder), 1) as view:
            plan = json.loads(view.plan)
        for name, values in changes.items():
            plan[name] = {**plan[name], **values} if isinstance(plan[name], dict) else values
        seeds = [
            {"id": str(seed.pk), "url": seed.url, "permissions": [str(link.permission_id) for link in seed.links.all()]}
            for seed in Seed.objects.filter(target=harvest.abstract_target_id)
        ]
        parts = {"plan": snapshots.canonical(plan), "seeds": snapshots.canonical(seeds)}
        made = Snapshot(harvest=harvest, made_at=self.now, digest=snapshots.digest(parts))
        made.save()
        for key, value in parts.items():
            SnapshotPart(snapshot=made, key=key, value=value).save()


def attempt(clock, kind):
    """A claim of the next job of a kind."""
    (found,) = claims.claim(owner="a#1", limit=1, now=clock.now(), lease=LEASE, kinds=[kind])
    return RunContext(found, clock=clock, lease=LEASE)


def run_patch(row, clock):
    """Let an agent crawl for a result."""
    patch_result(PatchResult(result=row.pk), attempt(clock, "curation.patch_result"))
    row.refresh_from_db()


def run_making(row, clock):
    """Let an agent make a result."""
    make_result(MakeResult(result=row.pk), attempt(clock, "curation.make_result"))
    row.refresh_from_db()

"""Forgets bulk work that is over: what was done stays in the audit log."""

from datetime import datetime, timedelta

from opilio.curation.models import BulkItem, BulkRun, BulkState

KEPT = timedelta(days=90)  # finished bulk work, with its refused rows
DRAFTS_KEPT = timedelta(days=2)  # what was looked at and never started
_ITEMS_AT_ONCE = 5_000


def forget(now: datetime) -> int:
    """Delete at most one old piece of bulk work, or a portion of its rows; 0 when none is old."""
    old = BulkRun.objects.filter(state__in=(BulkState.DONE, BulkState.STOPPED), made_at__lt=now - KEPT)
    drafts = BulkRun.objects.filter(state=BulkState.DRAFT, made_at__lt=now - DRAFTS_KEPT)
    run = old.first() or drafts.first()
    if run is None:
        return 0
    portion = list(BulkItem.objects.filter(run=run).values_list("pk", flat=True)[:_ITEMS_AT_ONCE])
    if portion:
        return BulkItem.objects.filter(pk__in=portion).delete()[0]
    return run.delete()[0]

"""An installation with one endorsed harvest whose files are really there, and what publishes it."""

import contextlib

import pytest

from opilio.agents.publish import publish_generation
from opilio.curation.actions.publications import start_publication
from opilio.curation.models import HarvestState, Publication, Result, ResultState, Snapshot, SnapshotPart
from opilio.curation.publishing import PublishGeneration
from opilio.curation.snapshots import canonical
from opilio.kernel.clock import SYSTEM
from opilio.works.search_setup import search_home
from tests.people import Town
from tests.review_desk import ReviewDesk, at_home

OPEN = "Open (unrestricted) access"


class Attempt:
    """What a runner is given, without an agent around it."""

    def __init__(self, clock=SYSTEM):
        self.clock, self.moments, self.words = clock, [], []

    def progress(self, percent, words=""):
        self.words.append(words)

    def check(self):
        pass

    def put_off(self, until):
        self.moments.append(until)

    @contextlib.contextmanager
    def finishing(self):
        yield


class Shelf:
    """Endorsed harvests, and their publication."""

    def __init__(self, home, settings):
        self.home, self.settings = home, settings
        self.town = Town()
        self.desk = ReviewDesk(self.town)

    def target(self, **permission):
        """A target whose permission says so much of access."""
        row = self.desk.ready()
        links = row.seeds.get().links
        permission.setdefault("access_status", OPEN)
        type(links.get().permission).objects.filter(pk=links.get().permission_id).update(**permission)
        return row

    def endorsed(self, target=None, *, state=HarvestState.ENDORSED, **fields):
        """A harvest with its files, whose result is endorsed."""
        made = self.desk.sealed(self.home, target or self.target(), state=state, **fields)
        Result.objects.filter(harvest=made).update(state=ResultState.ENDORSED)
        return made

    def published(self):
        """Publish, and tell what it came to."""
        row = start_publication(self.town.system)
        attempt = Attempt()
        publish_generation(PublishGeneration(publication=row.pk), attempt)
        return Publication.objects.get(pk=row.pk)

    def fresh(self):
        """Let rules that were just written count at once."""
        search_home.cache_clear()

    def frozen(self, harvest, row, groups, *, members=()):
        """The snapshot of a harvest, with the groups that its target was in."""
        told = [{"id": str(group.pk), "name": group.name, "type": ""} for group in groups]
        parts = {
            "target": {"id": str(row.pk), "groups": told},
            "members": [{"id": str(one.pk), "groups": []} for one in members],
        }
        snapshot = Snapshot(harvest=harvest, made_at=self.desk.now, digest="-")
        snapshot.save()
        for key, value in parts.items():
            SnapshotPart(snapshot=snapshot, key=key, value=canonical(value)).save()

    @property
    def search(self):
        """What readers ask."""
        return search_home(self.settings.OPILIO).published()


@pytest.fixture
def shelf(db, settings, tmp_path):
    return Shelf(at_home(settings, tmp_path), settings)

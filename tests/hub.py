"""A hub with centres whose sources are folders: deliveries are laid there, and sessions run over them."""

import io
import os
import zipfile
from dataclasses import replace
from datetime import timedelta

from opilio.deliveries.profile import Settling, profile
from opilio.deliveries.pulling import Place
from opilio.deliveries.sources.folder import FolderConnection
from opilio.deliveries.states import Phase, Status
from opilio.tracker import sessions
from opilio.tracker.models import Centre, Delivery, DeliverySession, Protocol, ResourceState, Source, XmlDocument
from opilio.tracker.sessions import Wishes
from opilio.works.sharing.delivery_files import DeliveryFiles
from tests.people import Town

IMPC = profile("impc").model_copy(update={"settling": Settling(looks=1)})
NAME = "J.2024-02-29.1.impc.zip"
MOUSE = (
    '<mouse specimenID="{}" isBaseline="false" gender="male" zygosity="homozygous" pipeline="P" project="X" '
    'phenotypingCentre="J" DOB="2024-01-31"/>'
)
EXPERIMENT = (
    '<experiment experimentID="{}" dateOfExperiment="2024-02-28"><specimenID>{}</specimenID><procedure procedureID="W">'
    '<simpleParameter parameterID="W1"><value>21.5</value></simpleParameter></procedure></experiment>'
)


def specimens(*keys, centre="J"):
    """A document of specimens."""
    inner = "".join(MOUSE.format(key) for key in keys)
    return f'<centreSpecimenSet><centre centreID="{centre}">{inner}</centre></centreSpecimenSet>'


def experiments(*pairs):
    """A document of experiments: each with its key and the specimen it is about."""
    inner = "".join(EXPERIMENT.format(*pair) for pair in pairs)
    return f'<centreProcedureSet><centre centreID="J" pipeline="P" project="X">{inner}</centre></centreProcedureSet>'


def zipped(entries):
    """A zip file of documents by their names."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in entries.items():
            archive.writestr(name, text)
    return made.getvalue()


class Hub:
    """Two centres, J and H, the first with a source; on a clock that stands still."""

    def __init__(self, folder, town=None):
        self.folder = folder
        self.town = town or Town()
        self.clock = self.town.clock
        self.profile = IMPC
        self.files = DeliveryFiles(folder=folder / "deliveries")
        self.broken = {}  # source: error of each fetch
        self.fetched = []
        self.centres = {name: self.centre(name) for name in ("J", "H")}
        self.source("J", "main")

    def centre(self, name, agency=None):
        """A centre, of the library unless told otherwise."""
        now = self.clock.now()
        made = Centre(
            agency=agency or self.town.library, short_name=name, full_name=f"Centre {name}",
            email=f"{name.lower()}@example.org", created=now, updated=now,
        )  # fmt: skip
        made.save()
        return made

    def source(self, centre, name, *, state="available", **fields):
        """A source that is a folder."""
        base = self.folder / "partners" / centre / name
        for action in ("add", "edit", "delete"):
            (base / action).mkdir(parents=True)
        now = self.clock.now()
        made = Source(
            centre=self.centres[centre], name=name, protocol=Protocol.objects.get(short_name="folder"),
            state=ResourceState.objects.get(short_name=state), base_path=str(base), created=now, updated=now, **fields,
        )  # fmt: skip
        made.save()
        return made

    def lay(self, name=NAME, content=None, *, action="add", centre="J", source="main", at=1e9, **documents):
        """Lay a delivery; its documents by kind, or its bytes."""
        stem = name.removesuffix(".impc.zip")
        entries = {f"{stem}.{kind}.impc.xml": text for kind, text in documents.items()}
        path = self.place(centre, source) / action / name
        path.write_bytes(
            zipped(entries or {f"{stem}.specimen.impc.xml": specimens("M1")}) if content is None else content
        )
        os.utime(path, (at, at))
        return path

    def place(self, centre, source):
        """The folder of a source."""
        return self.folder / "partners" / centre / source

    def place_of(self, attempt, files):
        """Where an attempt lies on a machine."""
        return Place(folder=files.folder / attempt.folder)

    def opener(self, source):
        """Notes what is fetched, and fails when told to."""
        hub = self

        class Faulty(FolderConnection):
            def fetch(self, path, offset, take):
                hub.fetched.append((source.name, path))
                if source.name in hub.broken:
                    raise hub.broken[source.name]
                super().fetch(path, offset, take)

        return Faulty(source)

    def wishes(self, **changes):
        """How sessions are run here."""
        made = Wishes(
            profile=self.profile, files=self.files, by="hub", opener=self.opener, clock=self.clock,
            limit=30, validators=0, lease=timedelta(hours=6),
        )  # fmt: skip
        return replace(made, **changes)

    def run(self, **changes):
        """A session."""
        ended = sessions.run(self.wishes(**changes))
        self.clock.advance(3_600)
        return ended

    def standings(self):
        """Where each delivery stands."""
        return {
            f"{row.todo.short_name}/{row.zip.file_name}": (Phase(row.phase_id).name, Status(row.status_id).name)
            for row in Delivery.objects.select_related("zip", "todo")
        }

    def stands(self, name=NAME, action="add"):
        """Where one delivery stands."""
        return self.standings()[f"{action}/{name}"]

    def documents(self):
        """Where the documents of all attempts stand, oldest first."""
        rows = XmlDocument.objects.order_by("id")
        return [(row.fname, Phase(row.phase_id).name, Status(row.status_id).name) for row in rows]

    def last_session(self):
        """The newest session."""
        return DeliverySession.objects.order_by("-id").first()

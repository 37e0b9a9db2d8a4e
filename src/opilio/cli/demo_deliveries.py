"""The demo's deliveries: two centres whose servers are folders, good files and bad ones, and a session over them."""

import io
import shutil
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from opilio.cli import demo_jobs
from opilio.cli.demo_data import ARCHIVE
from opilio.cli.lookups import agency_named
from opilio.deliveries import profile as shipped
from opilio.kernel.files import write_atomically
from opilio.people.actor import Actor
from opilio.tracker import profiles
from opilio.tracker.actions.centres import create_centre
from opilio.tracker.actions.sessions import start_session
from opilio.tracker.actions.sources import create_source
from opilio.tracker.queries import deliveries as query

_CENTRES = (("J", "Marsh Institute", "data@marsh.example"), ("H", "Harbour Laboratory", "files@laboratory.example"))
_MOUSE = (
    '    <mouse specimenID="{}" isBaseline="false" gender="female" zygosity="homozygous" pipeline="P" project="X"\n'
    '           phenotypingCentre="{}" DOB="{}"/>\n'
)
_EXPERIMENT = (
    '    <experiment experimentID="{}" dateOfExperiment="2024-02-28"><specimenID>{}</specimenID>\n'
    '      <procedure procedureID="W">\n'
    '        <simpleParameter parameterID="W1"><value>21.5</value></simpleParameter>\n'
    "      </procedure>\n"
    "    </experiment>\n"
)


@dataclass(frozen=True, kw_only=True)
class Delivered:
    """What the session found."""

    deliveries: int
    failed: int


def run(me: Actor, home: Path) -> Delivered:
    """Centres, sources, files and one session; a second run finds them."""
    if not query.centres(me).exists():
        _profile(home)
        for code, name, email in _CENTRES:
            _centre(me, home, code, name, email)
        _lay(home)
        start_session(me, profile="impc")
        demo_jobs.rest(me)
    rows = query.deliveries(me)
    return Delivered(deliveries=rows.count(), failed=query.stuck(me).count())


def _profile(home: Path) -> None:
    """The shipped profile, except that a file need not look the same twice: nobody writes into these folders."""
    source, folder = Path(shipped.__file__).parent / "profiles", home / profiles.FOLDER
    shutil.copytree(source / "impc", folder / "impc", dirs_exist_ok=True)
    text = (source / "impc.toml").read_text("utf-8")
    write_atomically(folder / "impc.toml", f"{text}\n[settling]\nlooks = 1\n".encode())


def _centre(me: Actor, home: Path, code: str, name: str, email: str) -> None:
    agency = agency_named(me, ARCHIVE)
    made = create_centre(me, agency_id=agency.id, short_name=code, full_name=name, email=email, profile="impc")
    for action in ("add", "edit", "delete"):
        (_place(home, code) / action).mkdir(parents=True, exist_ok=True)
    create_source(me, centre_id=made.pk, name="main", protocol="folder", base_path=str(_place(home, code)))


def _lay(home: Path) -> None:
    """Files as partners send them: good ones, and one for each thing that goes wrong."""
    _put(home, "J", "J.2024-01-10.1", specimen=_specimens("J", "M1", "M2", "M3"))
    _put(home, "J", "J.2024-01-11.1", experiment=_experiments("J", ("E1", "M1"), ("E2", "M9")))  # nobody knows M9
    _put(home, "J", "J.2024-02-29.1", specimen=_specimens("J", "M7", born="2024-02-31"))  # no such day
    _put(home, "J", "J.2024-02-30.1", specimen=_specimens("J", "M8"))  # no such day in its name
    _put(home, "H", "H.2024-03-02.1", specimen=_specimens("H", "X1", "X2"))
    write_atomically(_place(home, "H") / "add" / "H.2024-03-03.1.impc.zip", b"this is no archive")


def _put(home: Path, centre: str, stem: str, **documents: str) -> None:
    entries = {f"{stem}.{kind}.impc.xml": text for kind, text in documents.items()}
    write_atomically(_place(home, centre) / "add" / f"{stem}.impc.zip", _zipped(entries))


def _zipped(entries: Mapping[str, str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in entries.items():
            archive.writestr(name, text)
    return made.getvalue()


def _specimens(centre: str, *keys: str, born: str = "2024-01-31") -> str:
    inner = "".join(_MOUSE.format(key, centre, born) for key in keys)
    return f'<centreSpecimenSet>\n  <centre centreID="{centre}">\n{inner}  </centre>\n</centreSpecimenSet>\n'


def _experiments(centre: str, *pairs: tuple[str, str]) -> str:
    inner = "".join(_EXPERIMENT.format(*pair) for pair in pairs)
    head = f'<centreProcedureSet>\n  <centre centreID="{centre}" pipeline="P" project="X">\n'
    return f"{head}{inner}  </centre>\n</centreProcedureSet>\n"


def _place(home: Path, centre: str) -> Path:
    return home / "partners" / centre

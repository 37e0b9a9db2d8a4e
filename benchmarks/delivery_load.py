"""Loads records of one document into the built-in store, on SQLite: records per second. Wanted: 10,000."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RECORDS = int(os.environ.get("OPILIO_TEST_BENCH_RECORDS", "100000"))
WANTED = 10_000  # records per second


def main() -> None:
    """Measure in a process of its own: Django's settings are read once per process."""
    with tempfile.TemporaryDirectory(prefix="opilio-bench-") as home:
        env = {name: value for name, value in os.environ.items() if not name.startswith("OPILIO_HOME")}
        env |= {"OPILIO_HOME": home, "DJANGO_SETTINGS_MODULE": "opilio.server.settings"}
        program = "from benchmarks.delivery_load import measure; measure()"
        subprocess.run([sys.executable, "-c", program], env=env, check=True)


def measure() -> None:
    """Fill a document with specimens, read and load it in one transaction."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import transaction

    from benchmarks.machine import line
    from opilio.deliveries.profile import profile
    from opilio.deliveries.records import records
    from opilio.kernel.clock import SYSTEM
    from opilio.tracker.record_store import RecordStore

    call_command("migrate", verbosity=0)
    rules = profile("impc")
    kind = rules.documents[0]
    path = Path(os.environ["OPILIO_HOME"]) / "specimens.xml"
    _write(path)
    row = _document()
    began, busy = time.perf_counter(), time.process_time()
    with transaction.atomic():
        taken = RecordStore(rules, SYSTEM.now()).take(row, "add", records(path, kind))
    seconds, busy = time.perf_counter() - began, time.process_time() - busy
    print(f"\n{line()}\n\n| loading {taken.loaded:,} records | s | CPU s | records/s | wanted |\n|---|---|---|---|---|")
    print(f"| built-in store, SQLite | {seconds:.1f} | {busy:.1f} | {taken.loaded / seconds:,.0f} | {WANTED:,} |")


def _write(path: Path) -> None:
    with path.open("w") as stream:
        stream.write('<centreSpecimenSet><centre centreID="J">\n')
        for number in range(RECORDS):
            stream.write(
                f'<mouse specimenID="M{number}" isBaseline="false" gender="male" zygosity="homozygous" pipeline="P" '
                'project="X" phenotypingCentre="J" DOB="2024-01-31"/>\n'
            )
        stream.write("</centre></centreSpecimenSet>")


def _document() -> "object":
    """A document to load from, with all that it belongs to."""
    from opilio.kernel.clock import SYSTEM
    from opilio.people.actions.agencies import create_agency
    from opilio.people.actor import system
    from opilio.tracker.actions.centres import create_centre
    from opilio.tracker.actions.sources import create_source
    from opilio.tracker.models import Attempt, Delivery, Offering, ProcessingType, XmlDocument, ZipFile

    actor, now = system(), SYSTEM.now()
    agency = create_agency(actor, name="Library", with_roles=False)
    centre = create_centre(actor, agency_id=agency.id, short_name="J", full_name="Centre", email="j@example.org")
    source = create_source(actor, centre_id=centre.pk, protocol="folder", name="main", base_path="/srv")
    zipped = ZipFile.objects.create(file_name="J.2024-02-29.1.impc.zip", centre=centre)
    delivery = Delivery.objects.create(
        zip=zipped, todo=ProcessingType.objects.get(pk=1), profile="impc", first_seen=now
    )
    offering = Offering.objects.create(delivery=delivery, source=source)
    attempt = Attempt.objects.create(offering=offering, request=now)
    return XmlDocument.objects.create(attempt=attempt, number=1, fname="a.xml", kind="specimen")

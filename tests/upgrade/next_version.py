"""Makes the version after this one: the same package with another number, one new column of jobs, and its migrations.

Only what differs is written; the rest of the package is read from where it lies.
"""

import shutil
from dataclasses import dataclass
from pathlib import Path

import opilio
from tests.installations import Installation

_HERE = Path(opilio.__file__).parent
VERSION = "99.0.0"
_PACKAGE = f'''"""Opilio, one version on."""

__version__ = "{VERSION}"
__path__.append({str(_HERE)!r})
'''
_COLUMN = "    correlation = models.CharField("
_MODEL = '    note = models.CharField(max_length=20, default="")\n'
_BEFORE = """from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0001_initial")]
    operations = [migrations.AddField("job", "note", models.CharField(max_length=20, null=True))]
"""
_AFTER = """from django.db import migrations, models


def fill(apps, editor):
    apps.get_model("jobs", "Job").objects.filter(note=None).update(note="")


class Migration(migrations.Migration):
    dependencies = [("jobs", "0090_note")]
    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
"""
_REQUIRED = """from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0091_after_fill_note")]
    operations = [migrations.AlterField("job", "note", models.CharField(max_length=20, default=""))]
"""


@dataclass(frozen=True, kw_only=True)
class NextVersion:
    """The version after this one, as an environment in which its programs run."""

    source: Path

    def beside(self, installation: Installation) -> Installation:
        """The same installation, used by programs of the next version."""
        return Installation(
            home=installation.home,
            env={**installation.env, "PYTHONPATH": str(self.source)},
            database_url=installation.database_url,
        )


def make_next_version(source: Path) -> NextVersion:
    """Write it into a folder."""
    package = source / "opilio"
    shutil.copytree(_HERE / "jobs", package / "jobs", ignore=shutil.ignore_patterns("__pycache__"))
    (package / "__init__.py").write_text(_PACKAGE)
    models = package / "jobs" / "models.py"
    text = models.read_text()
    assert text.count(_COLUMN) == 1
    models.write_text(text.replace(_COLUMN, _MODEL + _COLUMN))
    first = sorted((package / "jobs" / "migrations").glob("[0-9]*.py"))[-1].stem
    for name, code in (("0090_note", _BEFORE), ("0091_after_fill_note", _AFTER), ("0092_after_need_note", _REQUIRED)):
        (package / "jobs" / "migrations" / f"{name}.py").write_text(code.replace("0001_initial", first))
    return NextVersion(source=source)

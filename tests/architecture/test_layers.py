"""The shape of the code: contracts hold, modules stay small, nobody reaches into another's private names."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import models

from opilio.catalogue.curated import METACOLUMNS, Curated, curated_models
from opilio.catalogue.identified import Identified, IdentifierField
from opilio.people.kinds import kinds

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "opilio"
MODULES = sorted(path for path in SOURCE.rglob("*.py") if "migrations" not in path.parts)
MOST_LINES = 400
#: Tables that libraries bring; all others are ours and take their identifiers from blocks.
FOREIGN_TABLES = {"django_session"}


def test_the_import_contracts_hold():
    """Layers depend downward only, engines know no web framework, tables are touched by their owner alone."""
    done = subprocess.run([Path(sys.executable).parent / "lint-imports"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_is_small_and_says_what_it_is(path):
    """At most 400 lines, a docstring on top, no private name of another package."""
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    assert len(text.splitlines()) <= MOST_LINES
    assert ast.get_docstring(tree) or not text.strip(), "a module opens with a docstring"
    assert not list(_private_imports(tree))


def _private_imports(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("opilio"):
            yield from (name.name for name in node.names if name.name.startswith("_") and name.name != "__version__")


def _own_models():
    return [model for model in apps.get_models() if model._meta.db_table not in FOREIGN_TABLES]


def test_every_table_takes_its_identifiers_from_blocks():
    """No AutoField anywhere; only the table of blocks itself is keyed by its kind."""
    for model in _own_models():
        fields = model._meta.get_fields()
        assert not [field for field in fields if isinstance(field, models.AutoField)], model
        if model._meta.db_table != "id_block":
            assert issubclass(model, Identified), model
            assert isinstance(model._meta.pk, IdentifierField), model


def test_every_curated_table_has_the_six_metacolumns_and_a_kind():
    """So that each can be deleted, restored, versioned and listed on the page of deleted rows."""
    curated = curated_models(apps.get_models())
    assert curated
    assert {kind.model for kind in kinds()} == set(curated)
    for model in curated:
        assert {field.name for field in model._meta.get_fields()} >= set(METACOLUMNS), model
        assert issubclass(model, Curated)


def test_no_migration_is_missing(db):
    """The tables are as the models say."""
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)

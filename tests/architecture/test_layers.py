"""The shape of the code: contracts hold, modules stay small, nobody reaches into another's private names."""

import ast
import itertools
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


@pytest.mark.parametrize("package", sorted({path.relative_to(SOURCE).parts[0] for path in MODULES}))
def test_modules_are_small_and_say_what_they_are(package):
    """At most 400 lines, a docstring on top, no private name of another package."""
    found = [path for path in MODULES if path.relative_to(SOURCE).parts[0] == package]
    assert [f"{path.relative_to(SOURCE)}: {fault}" for path in found for fault in _faults(path)] == []


def _faults(path):
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    if (lines := len(text.splitlines())) > MOST_LINES:
        yield f"{lines} lines"
    if text.strip() and not ast.get_docstring(tree):
        yield "no docstring on top"
    yield from (f"imports {name}" for name in _private_imports(tree))


def _private_imports(tree):
    """Imports stand on top, or under a condition there; the linter sees to that."""
    blocks = [node.body + node.orelse for node in tree.body if isinstance(node, ast.If)]
    for node in itertools.chain(tree.body, *blocks):
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
            key = model._meta.pk
            shared = getattr(key, "target_field", key)  # a target shares the identifier of what it has with groups
            assert isinstance(shared, IdentifierField), model


def test_every_curated_table_has_the_six_metacolumns_and_a_kind():
    """So that each can be deleted, restored, versioned and listed on the page of deleted rows."""
    curated = curated_models(apps.get_models())
    assert curated
    common = {parent for model in curated for parent in model._meta.get_parent_list()}  # has no rows of its own
    assert {kind.model for kind in kinds()} == set(curated) - common
    for model in curated:
        assert {field.name for field in model._meta.get_fields()} >= set(METACOLUMNS), model
        assert issubclass(model, Curated)


def test_no_migration_is_missing(db):
    """The tables are as the models say."""
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)

"""Imports modules by name when they are needed: the one place that may, so that no command pays for another's needs."""

import importlib
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from opilio.cli.nouns import Noun


def load(noun: Noun) -> TyperCommand | TyperGroup:
    """The commands of a noun."""
    module = catalogue_part(noun.module) if noun.django else importlib.import_module(noun.module)
    command = get_command(module.app)
    command.name = noun.name
    assert isinstance(command, TyperCommand | TyperGroup)  # noqa: S101 - typer makes nothing else
    return command


def part(name: str) -> ModuleType:
    """A module that only some calls of a command need."""
    return importlib.import_module(name)


def catalogue_part(name: str) -> ModuleType:
    """A module that imports models: Django is set up before it."""
    importlib.import_module("opilio.cli.django_setup").prepare()
    return importlib.import_module(name)


def verbs_of(modules: Mapping[str, str], catalogue: Mapping[str, str] | None = None) -> type[TyperGroup]:
    """A group whose verbs lie in modules with `add_to(app)`, each imported when its verb is asked for.

    Those of `catalogue` work with the tables, for which Django is set up first.
    """
    tabled = catalogue or {}

    class Verbs(TyperGroup):
        """The verbs of one noun."""

        def list_commands(self, ctx: Any) -> list[str]:
            """All verbs, in the order of a newcomer's way."""
            return [*modules, *tabled]

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            """The verb, loaded; None when there is none."""
            if cmd_name in tabled:
                return _verb(catalogue_part(tabled[cmd_name]), cmd_name)
            return _verb(importlib.import_module(modules[cmd_name]), cmd_name) if cmd_name in modules else None

    return Verbs


def _verb(module: ModuleType, name: str) -> Any:
    holder = typer.Typer(add_completion=False, rich_markup_mode=None)
    holder.callback()(lambda: None)
    module.add_to(holder)
    group = get_command(holder)
    assert isinstance(group, TyperGroup)  # noqa: S101 - it has a callback
    return group.commands[name]

"""Whoever imports: people who sign in by the page, and agencies that are there already."""

from tests.acceptance.pages.conftest import Visitor, administrator, enter, ready_roles, town, visitor

__all__ = ["Visitor", "administrator", "enter", "ready_roles", "town", "visitor"]

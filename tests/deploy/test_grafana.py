"""The dashboard and the alerts ask for figures that exist, with labels that they have."""

import json
import re
from pathlib import Path

import yaml

import opilio.search.nodes.app as node_app
from opilio.kernel.settings import Settings
from opilio.server import figures
from tests.deploy.promises import DEPLOY, ROOT

_NAME = re.compile(r"\bopilio_[a-z_]+")
_NODE = set(_NAME.findall(Path(node_app.__file__).read_text()))
DASHBOARD = json.loads((DEPLOY / "grafana" / "opilio.json").read_text())
ALERTS = yaml.safe_load((DEPLOY / "grafana" / "alerts.yaml").read_text())


def known():
    counted = {name for name, *_ in figures._FIGURES}
    return counted | _NODE | {figures.REQUESTS + suffix for suffix in ("_bucket", "_sum", "_count")}


def expressions():
    for panel in DASHBOARD["panels"]:
        yield from (target["expr"] for target in panel["targets"])
    for group in ALERTS["groups"]:
        yield from (rule["expr"] for rule in group["rules"])


def test_every_figure_that_is_asked_for_exists():
    """A panel of a figure that nobody tells would stay empty for ever."""
    asked = {name for expression in expressions() for name in _NAME.findall(expression)}
    assert asked <= known(), asked - known()


def test_every_figure_of_the_server_is_shown():
    """None is told in vain."""
    asked = {name for expression in expressions() for name in _NAME.findall(expression)}
    assert {name for name, *_ in figures._FIGURES} <= asked


def test_every_figure_is_in_the_guide():
    """Its meaning is told, and when it is worth a call."""
    guide = (ROOT / "docs" / "howto" / "watch-an-installation.md").read_text()
    assert {
        name for name in (*(name for name, *_ in figures._FIGURES), figures.REQUESTS) if f"`{name}" not in guide
    } == set()


def test_panels_do_not_overlap():
    """Each has a place, a number and an expression of its own."""
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in DASHBOARD["panels"]]
    assert len(set(places)) == len(places) == len({panel["id"] for panel in DASHBOARD["panels"]})
    assert all(expression.count("(") == expression.count(")") for expression in expressions())


def test_figures_are_told(db, tmp_path):
    """The new ones are counted by both databases."""
    found = {figure.name: figure for figure in figures.figures(Settings(home=tmp_path))}
    assert found["opilio_database_bytes"].values[0][1] > 10_000
    assert dict(found["opilio_index_waiting"].values[0][0]) == {"change": "added"}
    assert found["opilio_index_age_seconds"].values == ()
    assert set(found) >= {"opilio_harvest_bytes", "opilio_harvest_urls", "opilio_database_connections"}

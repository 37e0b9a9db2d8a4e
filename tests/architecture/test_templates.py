"""Templates and static files keep to the house rules: short, no inline script or style, nothing from outside."""

import re
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2] / "src" / "opilio"
TEMPLATES = sorted(SOURCES.glob("*/templates/**/*.html"))
STATIC = sorted(path for path in SOURCES.glob("*/static/**/*") if path.suffix in {".css", ".js", ".svg", ".html"})
CEILING = 80
INLINE = re.compile(r"<script(?![^>]*\ssrc=)|<style\b|\sstyle=|\son[a-z]+\s*=|javascript:", re.IGNORECASE)
OUTSIDE = re.compile(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}", re.IGNORECASE)
NAMES_ONLY = ("http://www.w3.org/2000/svg",)  # names a format, is never fetched


def shown(path):
    """The path as the report should name it."""
    return str(path.relative_to(SOURCES))


def test_there_are_templates():
    """The search finds something to check."""
    assert len(TEMPLATES) > 40
    assert STATIC


@pytest.mark.parametrize(
    ("text", "bad"),
    [
        ("<script>x()</script>", True), ('<script src="/static/a.js" defer></script>', False),
        ("<style>a{}</style>", True),
        ('<p style="color:red">', True), ('<a onclick="x()">', True), ('<p class="one">', False),
        ('<a href="javascript:x()">', True),
    ],
)  # fmt: skip
def test_inline_code_is_recognised(text, bad):
    """The pattern sees scripts, styles and handlers inside a template."""
    assert bool(INLINE.search(text)) == bad


def test_templates_are_short():
    """No template has more than eighty lines."""
    assert [shown(path) for path in TEMPLATES if len(path.read_text("utf-8").splitlines()) > CEILING] == []


def test_nothing_is_inline():
    """The content security policy forbids inline scripts, styles and handlers; so do we."""
    assert [shown(path) for path in TEMPLATES if INLINE.search(path.read_text("utf-8"))] == []


def test_nothing_comes_from_outside():
    """Pages work without the internet: no template, style or script names another host."""
    found = []
    for path in [*TEMPLATES, *STATIC]:
        text = path.read_text("utf-8")
        for name in NAMES_ONLY:
            text = text.replace(name, "")
        found += [(shown(path), match) for match in OUTSIDE.findall(text)]
    assert found == []


def test_every_template_is_used():
    """A template that no view and no other template names is taken away."""
    texts = [path.read_text("utf-8") for path in [*TEMPLATES, *SOURCES.rglob("*.py")]]
    names = [str(path).split("/templates/", 1)[1] for path in TEMPLATES]
    assert [name for name in names if not any(f'"{name}"' in text for text in texts)] == []


def test_every_static_file_is_used():
    """A style or script that nothing names is taken away."""
    texts = [path.read_text("utf-8") for path in [*TEMPLATES, *STATIC, *SOURCES.rglob("*.py")]]
    names = [str(path).split("/static/", 1)[1] for path in STATIC if "/web/static/" in str(path)]
    assert [name for name in names if not any(name in text for text in texts)] == []

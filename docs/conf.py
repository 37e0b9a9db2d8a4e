"""How the handbook is made of these Markdown files: `make docs` runs Sphinx with it. Nothing is loaded from outside."""

import re
from pathlib import Path

HERE = Path(__file__).parent

project = "Opilio"
root_doc = "index"
extensions = ["myst_parser"]
exclude_patterns = ["screenshots/**"]
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_inline"]
suppress_warnings = ["misc.highlighting_failure"]  # examples show output of programs, and files with comments
html_theme = "furo"
html_title = "Opilio handbook"
html_favicon = "../src/opilio/web/static/web/mark.svg"
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_permalinks = False
highlight_language = "none"

#: The chapters, in the order in which people come to them; a folder brings all its pages, so that none is forgotten.
CHAPTERS = {
    "index": "tutorial/index howto/index reference/index explanation/index faq glossary decisions/README "
    "traceability proofs measurements",
    "tutorial/index": "first-target first-crawl first-delivery",
    "howto/index": "*",
    "reference/index": "*",
    "explanation/index": "architecture *",
    "decisions/README": "*",
}


_LINK = re.compile(r"\[([^\]\n]*)\]\(((?:\.\./)+[^)\s#]*)(?:#[^)\s]*)?\)")


def _inside(name):
    """Replaces links to files of the repository that are no part of the handbook by their text."""
    folder = (HERE / name).parent

    def replaced(found):
        return found[0] if (folder / found[2]).resolve().is_relative_to(HERE) else found[1]

    return replaced


def _with_chapters(app, name, source):
    """Put the table of contents behind the text of a chapter's first page, where Sphinx wants it."""
    source[0] = _LINK.sub(_inside(name), source[0])
    if name in CHAPTERS:
        pages = "\n".join(CHAPTERS[name].split())
        source[0] += f"\n\n```{{toctree}}\n:hidden:\n:glob:\n\n{pages}\n```\n"


def setup(app):
    """Called by Sphinx."""
    app.connect("source-read", _with_chapters)

"""The catalogue of translations: what must be in it, reading it, and `python -m tests.languages` to compile it.

German is complete for navigation, forms and states; everything else that is marked may be translated. What needs
Django is imported by name, once it is set up.
"""

import ast
import importlib
import inspect
import itertools
import os
import re
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

import django
from django.db import models

WEB = Path(__file__).parents[1] / "src" / "opilio" / "web"
PO = WEB / "locale" / "de" / "LC_MESSAGES" / "django.po"
MO = PO.with_suffix(".mo")
#: Which arguments of which calls in the code of the pages are words that people read in navigation, forms and states.
_ARGUMENTS = {
    "Section": ("label", "group"), "Tab": ("label",), "New": ("label",), "Bulk": ("label",), "Button": ("label",),
    "Column": ("label",), "ListPage": ("title",), "FormPage": ("button",), "Badge": ("text",),
}  # fmt: skip
_FILTERS = ("Choice", "States", "Day", "Exact", "Identifier", "SeedUrl", "Words")
_MARKED = re.compile(r'\{% (?:translate|said) "([^"]+)"[^%]*%\}')
_SAID = re.compile(r'\{% said "([^"]+)"')
_IN_FORMS = re.compile(
    r'<(?:label|legend|button|summary|option)\b[^>]*>(?:\{% icon [^%]*%\} )?\{% translate "([^"]+)" %\}'
)
_IN_BADGES = re.compile(r'<span class="badge[^>]*>\{% translate "([^"]+)" %\}')


def required() -> dict[str, str]:
    """English words and sentences that must have a German counterpart, with where they stand."""
    found: dict[str, str] = {}
    sources = (_in_code(), _in_templates(), _in_tables(), _in_forms(), _states(), _sentences())
    for words, where in itertools.chain.from_iterable(sources):
        if re.search(r"[A-Za-z]{2}", words):
            found.setdefault(words, where)
    return found


def marked() -> dict[str, str]:
    """All words that templates mark, and those that must be translated."""
    found = required()
    for file, text in _templates():
        for words in _MARKED.findall(text):
            found.setdefault(words, file)
    return found


def _in_code() -> Iterator[tuple[str, str]]:
    for path in sorted(WEB.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            for words in _words(node):
                yield words, str(path.relative_to(WEB))


def _words(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Call):
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        wanted = _ARGUMENTS.get(name, ())
        if name.endswith("Field") or name in ("optional_choice", "_Lines"):
            wanted = ("label", "help_text", "empty")
        elif name in _FILTERS or name.endswith("Choice"):
            wanted = ("label",)
        yield from (text for one in node.keywords if one.arg in wanted for text in _constant(one.value))
        yield from (text for one in node.args if name == "gettext" for text in _constant(one))
    elif isinstance(node, ast.Assign) and getattr(node.targets[0], "attr", "") in ("label", "help_text"):
        yield from _constant(node.value)
    elif isinstance(node, ast.Assign) and re.search(r"TABS|LABELS", getattr(node.targets[0], "id", "")):
        yield from (text for one in ast.walk(node.value) for text in _constant(one) if text[0].isupper())


def _constant(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.strip():
        yield node.value


def _templates() -> Iterator[tuple[str, str]]:
    for path in sorted((WEB / "templates").rglob("*.html")):
        yield str(path.relative_to(WEB)), path.read_text("utf-8")


def _in_templates() -> Iterator[tuple[str, str]]:
    for file, text in _templates():
        frame = re.fullmatch(r"templates/web/(_\w+|shell|plain|forms/\w+|lists/\w+|account/_tabs)\.html", file)
        for pattern in (_MARKED,) if frame else (_IN_FORMS, _IN_BADGES, _SAID):
            for words in pattern.findall(text):
                yield words, file


def _in_tables() -> Iterator[tuple[str, str]]:
    helps = importlib.import_module("opilio.web.help")
    for kind, fields in helps.every_field():
        for field in fields:
            yield field.label, f"table {kind.name}"
            yield field.text, f"table {kind.name}"


def _in_forms() -> Iterator[tuple[str, str]]:
    importlib.import_module("opilio.web.urls")  # loads every form
    base = importlib.import_module("opilio.web.forms.base")
    for form in _subclasses(base.PageForm):
        for legend, _names in form.groups:
            yield legend, f"form {form.__name__}"
        for field in form.base_fields.values():
            yield str(field.label or ""), f"form {form.__name__}"
            yield str(field.help_text or ""), f"form {form.__name__}"


def _subclasses(base: type) -> Iterator[type]:
    for one in base.__subclasses__():
        yield one
        yield from _subclasses(one)


def _sentences() -> Iterator[tuple[str, str]]:
    """What the code tells after a form was sent, what a move means, and the titles of faults."""
    for shape in importlib.import_module("opilio.web.sentences").SHAPES:
        yield shape, "sentences"
    for name, kind in (("workflow", "TARGETS"), ("harvest_workflow", "HARVESTS"), ("result_workflow", "RESULTS")):
        machine = getattr(importlib.import_module(f"opilio.curation.{name}"), kind)
        for move in machine.moves:
            yield move.sentence, f"moves of a {machine.noun}"
    for path in sorted(WEB.rglob("*.py")):
        for shape in toasts(ast.parse(path.read_text("utf-8"))):
            if "{" not in shape:
                yield shape, str(path.relative_to(WEB))


def toasts(tree: ast.AST) -> Iterator[str]:
    """The sentences that views tell on the next page, with their values counted."""
    for node in ast.walk(tree):
        told = isinstance(node, ast.Call) and getattr(getattr(node.func, "value", None), "id", "") == "messages"
        for text in node.args[1:2] if told and isinstance(node, ast.Call) else ():
            for one in (text.body, text.orelse) if isinstance(text, ast.IfExp) else (text,):
                yield from _shape(one)


def _shape(node: ast.expr) -> Iterator[str]:
    yield from _constant(node)
    if isinstance(node, ast.JoinedStr):
        count = itertools.count()
        parts = [str(one.value) if isinstance(one, ast.Constant) else f"{{{next(count)}}}" for one in node.values]
        yield "".join(parts)


def _states() -> Iterator[tuple[str, str]]:
    for name, module in sorted(sys.modules.items()):
        if not name.startswith("opilio."):
            continue
        for one in vars(module).values():
            if inspect.isclass(one) and issubclass(one, models.Choices) and one.__module__ == name:
                for label in one.labels:
                    yield str(label), f"states {one.__name__}"


def read(path: Path = PO) -> dict[str, str]:
    """The entries of a catalogue, the head of it under the empty text; a context stands before its text, after EOT."""
    entries: dict[str, str] = {}
    parts: dict[str, str] = {}
    now = ""
    for line in (*path.read_text("utf-8").splitlines(), ""):
        if found := re.fullmatch(r'(msgctxt|msgid|msgstr) (".*")', line):
            now, text = found.groups()
            parts[now] = ast.literal_eval(text)
        elif line.startswith('"'):
            parts[now] += ast.literal_eval(line)
        elif not line.strip() and "msgid" in parts:
            context = f"{parts['msgctxt']}\x04" if "msgctxt" in parts else ""
            entries[context + parts["msgid"]] = parts["msgstr"]
            parts = {}
    return entries


def compiled(entries: dict[str, str]) -> bytes:
    """The same as programs read it: two tables of lengths and places, then the texts, all ended by a zero."""
    pairs = sorted((key.encode(), text.encode()) for key, text in entries.items() if text)
    ids, texts = [key for key, _ in pairs], [text for _, text in pairs]
    start = 28 + 16 * len(pairs)
    tables, body = b"", b""
    for group in (ids, texts):
        for one in group:
            tables += struct.pack("<II", len(one), start + len(body))
            body += one + b"\0"
    head = struct.pack("<7I", 0x950412DE, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, start)
    return head + tables + body


def written(entries: dict[str, str], where: dict[str, str]) -> str:
    """A catalogue as people edit it."""
    lines = [_entry("", entries[""], "")]
    for key in sorted(entries, key=lambda one: (one.rpartition("\x04")[2].lower(), one)):
        if key:
            lines.append(_entry(key, entries[key], where.get(key, "")))
    return "\n".join(lines)


def _entry(key: str, text: str, where: str) -> str:
    context, _, words = key.rpartition("\x04")
    quoted = [_quoted(one) for one in (words, text)]
    told = f"#: {where}\n" if where else ""
    return f"{told}{f'msgctxt {_quoted(context)}' + chr(10) if context else ''}msgid {quoted[0]}\nmsgstr {quoted[1]}\n"


def _quoted(text: str) -> str:
    plain = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{plain}"'


def main() -> int:
    """Compile the catalogue; tell what it lacks."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "opilio.server.settings")
    django.setup()
    entries, needed = read(), required()
    MO.write_bytes(compiled(entries))
    missing = [words for words in needed if not entries.get(words)]
    for words in missing:
        print(f"no German: {words!r} ({needed[words]})")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())

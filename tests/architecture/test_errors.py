"""Every error that people may read says what to do next."""

import ast
import importlib
import pkgutil
from pathlib import Path

import opilio
from opilio.kernel.errors import OpilioError

SOURCE = Path(opilio.__file__).parent
#: What no person reads, because the program itself answers it: it waits and tries again, takes another source, writes a
#: finding with a remedy of its own, or another runner has done the work; and what says itself what to do.
_ANSWERED = {
    "SourceAway", "SourceRefused", "NotAtSource", "FileChanged", "TransferDamaged", "BadDocument", "XmlRefused",
    "_Gone", "ReaderGone", "StoppedByUser", "SettledElsewhere", "NothingHere",
}  # fmt: skip


def _classes():
    for module in pkgutil.walk_packages([str(SOURCE)], "opilio."):
        if module.name.endswith("errors"):
            importlib.import_module(module.name)
    found, waiting = {}, [OpilioError]
    while waiting:
        one = waiting.pop()
        waiting += one.__subclasses__()
        if one.__module__.endswith("errors"):  # others stay within their module
            found[one.__name__] = one
    return found


def _silent(text, classes):
    """Lines on which an error is raised that says nothing about what to do."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            called = node.exc.func
            kind = classes.get(getattr(called, "id", getattr(called, "attr", "")))
            if kind is None or kind.__name__ in _ANSWERED or kind.usual_remedy or "__init__" in vars(kind):
                continue
            given = {one.arg for one in node.exc.keywords}
            if not given & {"remedy", None} and not any(isinstance(one, ast.Starred) for one in node.exc.args):
                yield node.lineno


def test_an_error_without_a_remedy_is_seen():
    """With one it is not, nor if its class has a usual one."""
    text = 'raise Missing("x", where="y")\nraise Missing("x", remedy="z")\nraise BadNodes("x")'
    assert list(_silent(text, _classes())) == [1]


def test_errors_say_what_to_do():
    """Wherever one is raised."""
    classes = _classes()
    found = [
        f"{path.relative_to(SOURCE)}:{line}"
        for path in sorted(SOURCE.rglob("*.py"))
        for line in _silent(path.read_text("utf-8"), classes)
    ]
    assert found == []

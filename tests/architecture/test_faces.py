"""Pages, API and commands can do the same: every action of curation and the tracker is used by each of the three."""

import ast
import functools
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "src" / "opilio"
FACES = ("web", "api", "cli")
APPS = ("curation", "tracker")
#: Actions that a face need not offer: name of the action → faces, and why.
EXCEPTIONS: dict[str, tuple[tuple[str, ...], str]] = {
    **{
        f"harvest.{verb}": (FACES, "the scheduler or an agent does it; people give orders instead")
        for verb in (
            "consider",
            "begin",
            "obey",
            "finish",
            "keep",
            "ask_for_help",
            "end_aborted",
            "trouble",
            "heal",
            "flag_late",
            "fetch_all",
            "watch_rights",
            "examine",
            "tell_broken",
            "without_pictures",
        )
    },
    **{
        f"health.{what}": (FACES, "only the chores of the agents warn")
        for what in ("agents_unwell", "agents_lost", "line_narrow")
    },
    **{
        f"result.{verb}": (FACES, "only agents and their chores do it")
        for verb in ("adopt", "ready", "undone", "made", "derived", "fail", "trouble", "heal")
    },
    **dict.fromkeys(("result.assessed", "result.assess_failed"), (FACES, "only the agent that measures writes it")),
    **{f"publication.{what}": (FACES, "only the agent that publishes tells it") for what in ("step", "end")},
    **{
        f"patch.{verb}": (FACES, "only the agent that patches, and its chore, do it")
        for verb in ("begin", "fetched", "fail", "trouble", "heal")
    },
    "missing_url.note": (FACES, "only replay notes what it could not show"),
    "missing_url.take": (FACES, "each face looks for gaps with `find_missing`, which takes what it finds"),
    "result.import": (FACES, "each face brings files with `result_importing`, which adds them once they are checked"),
    **dict.fromkeys(
        (
            "harvest.purged",
            "harvest.purge_refused",
            "fixity.record",
            "fixity.fail",
            "takedown.proved",
            "takedown.destroyed",
            "takedown.settle",
            "takedown.remind",
        ),
        (FACES, "only the agent that did the work writes it down"),
    ),
    **{
        f"deposit.{verb}": (FACES, "only the agent that does a deposit writes it down")
        for verb in ("begin", "packed", "sent", "finish", "fail", "trouble", "end_lost")
    },
    "delivery.expire": (("web", "api"), "the rules of retention do it, by a chore or by `opilio delivery retention`"),
    "tracker.import": (("web", "api"), "a move from another system, done once by the operator at the machine"),
    "bandwidth.divide": (FACES, "only the chore of the agents divides the line"),
    "group.expire": (FACES, "time brings it about; only the chore of the agents runs it"),
    "permission.answer": (("api", "cli"), "the public form, by a single-use link; people record answers by approving"),
    "verification.answer": (("api", "cli"), "the public form, by a single-use link"),
    "nomination.receive": (("api", "cli"), "the public form; people make targets themselves"),
    "wct.import": (("web", "api"), "they ask an agent for it, with wct.ask"),
    "ownership.take": (("cli",), "whoever works at the machine is no user; `give` names the new owner"),
}


@dataclass(frozen=True, kw_only=True)
class Declared:
    """An action where it is declared."""

    name: str
    module: str
    function: str


def _module_of(path):
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@functools.cache
def _declared():
    return tuple(_found_actions())


def _found_actions():
    for path in sorted(path for app in APPS for path in (ROOT / app).rglob("*.py")):
        for node in _tree(path).body:
            if isinstance(node, ast.FunctionDef) and (name := _action_name(node)):
                yield Declared(name=name, module=_module_of(path), function=node.name)


def _action_name(node):
    for one in node.decorator_list:
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == "action":
            return ast.literal_eval(one.args[0])
    return ""


@functools.cache
def _tree(path):
    return ast.parse(path.read_text("utf-8"))


def _used(path):
    """What a module takes from others by name: (module, name), also by way of an imported module."""
    tree = _tree(path)
    modules: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield node.module, alias.name
                modules[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            yield modules[node.value.id], node.attr


def _names_in(node):
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


@functools.cache
def _bodies(module):
    """By what a module defines, the names that stand in it."""
    path = ROOT.parent.joinpath(*module.split(".")).with_suffix(".py")
    bodies = {}
    for node in _tree(path).body if path.exists() else ():
        if isinstance(node, ast.FunctionDef):
            bodies[node.name] = _names_in(node)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            bodies.update({one.id: _names_in(node) for one in targets if isinstance(one, ast.Name)})
    return bodies


def _led_to(module, name):
    """The names of a module that one of its names leads to, as a function that chooses between actions does."""
    bodies = _bodies(module)
    found, edge = set(), {name}
    while edge:
        found |= edge
        edge = set().union(*(bodies.get(one, set()) for one in edge)) & set(bodies) - found
    return found


@functools.cache
def _reached(face):
    """The actions that a face leads to; asked when a test runs, as every process of a run reads this module."""
    used = {pair for path in (ROOT / face).rglob("*.py") for pair in _used(path) if pair[0]}
    ours = {(module, name) for module, name in used if module.startswith(tuple(f"opilio.{app}." for app in APPS))}
    return {(module, led) for module, name in ours for led in _led_to(module, name)}


@pytest.mark.parametrize("face", FACES)
def test_a_face_offers_every_action(face):
    """Whatever people can do on pages, programs can do by the API and operators by commands."""
    excepted = {name for name, (faces, _) in EXCEPTIONS.items() if face in faces}
    missing = {
        f"{one.name} ({one.module}.{one.function})"
        for one in _declared()
        if one.name not in excepted and (one.module, one.function) not in _reached(face)
    }
    assert missing == set()


def test_every_exception_is_needed_and_has_a_reason():
    """An exception for an action that is gone, or that the face offers after all, is removed here."""
    by_name = {one.name: one for one in _declared()}
    assert set(EXCEPTIONS) <= set(by_name)
    for name, (faces, reason) in EXCEPTIONS.items():
        assert reason
        one = by_name[name]
        assert [face for face in faces if (one.module, one.function) in _reached(face)] == [], name


def test_actions_are_found():
    """The comparison is not about nothing."""
    assert len(_declared()) > 20

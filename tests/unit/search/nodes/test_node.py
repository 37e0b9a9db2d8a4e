"""Nodes, their order, and the list of them."""

import pytest

from opilio.search.nodes.errors import BadNodes, NoNode
from opilio.search.nodes.node import Node, Role, for_readers, in_order, is_http, named
from opilio.search.nodes.nodes_file import HookCommand, NodeList, read_nodes
from opilio.search.nodes.steps import Verb, planned


def node(name, role, **more):
    return Node(name=name, role=Role(role), **more)


B, P, C, P2 = node("b", "backup"), node("p", "primary"), node("c", "content"), node("p2", "primary")


def test_generations_travel_from_content_over_primary_to_backup():
    """Nodes of one role keep the order in which they are listed."""
    assert in_order([B, P2, P, C]) == (C, P2, P, B)


def test_readers_leave_the_primary_before_it_is_switched_and_come_back():
    """Only the primary is drained; every node is copied to and probed before it is switched."""
    plans = planned([B, P, C], copy=True, backups_ready=["b"])
    assert [(plan.node.name, plan.verbs) for plan in plans] == [
        ("c", (Verb.COPY, Verb.PROBE, Verb.SWITCH)),
        ("p", (Verb.COPY, Verb.PROBE, Verb.DRAIN, Verb.SWITCH, Verb.RESTORE)),
        ("b", (Verb.COPY, Verb.PROBE, Verb.SWITCH)),
    ]


def test_readers_stay_where_no_backup_serves():
    """They would have nowhere to go; the plan says so."""
    plan = planned([P], copy=False, backups_ready=[])[0]
    assert plan.verbs == (Verb.PROBE, Verb.SWITCH)
    assert "no backup" in plan.note


def test_readers_are_sent_to_primaries_then_backups_and_never_to_content():
    """Drained nodes come last, for a reader is better off there than nowhere."""
    known = [node(each.name, each.role, reader=f"http://{each.name}.test") for each in (B, P, C, P2)]
    assert [each.name for each in for_readers(known, ["p"])] == ["p2", "b", "p"]
    assert for_readers([B, P], []) == ()


@pytest.mark.parametrize("name", ["", "../x", "A", "a b", "-a", "x" * 64, "a/b", 7])
def test_bad_names_are_refused(name):
    """A name becomes a file, a label and an argument of a program."""
    with pytest.raises(BadNodes):
        Node(name=name, role=Role.BACKUP)


@pytest.mark.parametrize(
    ("address", "good"),
    [("http://a:80", True), ("https://a/b", True), ("http://u:p@a", False), ("ftp://a", False), ("http://", False),
     ("http://a:x", False), ("http://a?b", False), ("http://[a", False), ("", False)],
)  # fmt: skip
def test_addresses_of_services(address, good):
    """Addresses without secrets and queries are usable."""
    assert is_http(address) is good
    if address and not good:
        with pytest.raises(BadNodes):
            node("a", "backup", reader=address)


def test_a_node_is_found_by_name():
    """An unknown name is told together with the known ones."""
    assert named([B, P], "p") is P
    with pytest.raises(NoNode, match="b, p"):
        named([B, P], "x")


GOOD = """
[[node]]
name = "content"
role = "content"

[[node]]
name = "north"
role = "primary"
place = "https://north.example.org:8100"
ca_file = "/etc/ca.pem"

[hook]
command = ["/usr/local/bin/balance", "--quiet"]
timeout = 5
"""


def test_the_list_is_read(tmp_path):
    """Nodes keep their order; a node whose place is a service answers readers there."""
    (tmp_path / "nodes.toml").write_text(GOOD)
    found = read_nodes(tmp_path / "nodes.toml")
    assert [each.name for each in found.nodes] == ["content", "north"]
    assert found.nodes[1].service == "https://north.example.org:8100"
    assert found.nodes[0].service == ""
    assert found.hook == HookCommand(command=("/usr/local/bin/balance", "--quiet"), timeout=5.0)
    assert read_nodes(tmp_path / "none.toml") == NodeList()


@pytest.mark.parametrize(
    "text",
    [
        b"[[node]\n",
        b"\xff",
        b"node = 1",
        b"other = 1",
        b"[[node]]\nname='a'",
        b"[[node]]\nname='a'\nrole='king'",
        b"[[node]]\nname='a'\nrole='backup'\nplace=1",
        b"[[node]]\nname='a'\nrole='backup'\nport='1'",
        b"[[node]]\nname='a'\nrole='backup'\n[[node]]\nname='a'\nrole='primary'",
        b"[[node]]\nname='a'\nrole='backup'\nplace='x'\n[[node]]\nname='b'\nrole='primary'\nplace='x'",
        b"hook = 1",
        b"[hook]\ncommand = 'rm'",
        b"[hook]\ncommand = []",
        b"[hook]\ncommand = ['x']\ntimeout = 0",
        b"[hook]\ncommand = ['x']\ntimeout = true",
        b"[hook]\ncommand = ['x']\ntimeout = nan",
        b"#" * (1 << 21),
    ],
)
def test_a_list_that_cannot_be_used_names_the_file(tmp_path, text):
    """The message says what is wrong, in which file, and what to do."""
    path = tmp_path / "nodes.toml"
    path.write_bytes(text)
    with pytest.raises(BadNodes) as told:
        read_nodes(path)
    assert told.value.where == str(path)
    assert told.value.remedy

"""A newcomer's way, in real processes."""

from tests.acceptance.cli.answers import document

_TABLE = "username,agency,roles\ncurator,Library,Curator; Reviewer@Museum\nreader,Museum,Reader\n"


def test_people_move_from_one_installation_to_another(fresh):
    """Tables are made, people are imported and exported, and another installation takes them over."""
    here, there = fresh("here"), fresh("there")
    for installation in (here, there):
        document(installation.run("db", "migrate", "--json"))
        first = ["first", "administrator", "--agency", "Library", "--password-stdin", "--json"]
        document(installation.run("user", *first, stdin=b"four unrelated words here\n"))
        document(installation.run("agency", "create", "Museum", "--json"))
    (here.home / "in.csv").write_text(_TABLE)
    assert document(here.run("user", "import", "in.csv", "--json"))["created"] == 2
    document(here.run("user", "export", str(there.home / "moved.json"), "--json"))
    moved = document(there.run("user", "import", "moved.json", "--json"))
    assert (moved["created"], moved["unchanged"]) == (2, 1)
    users = document(there.run("user", "list", "--json"))["users"]
    assert {one["username"]: one["roles"] for one in users} == {
        "administrator": ["System administrator"],
        "curator": ["Curator", "Reviewer@Museum"],
        "reader": ["Reader"],
    }
    assert document(there.run("audit", "verify", "--json"))["faults"] == []

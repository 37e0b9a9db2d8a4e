"""Users from and to tables."""

import pytest

from tests.acceptance.cli.answers import document, error

_HEADER = "username,agency,roles,first_name,email,external_auth,active\n"


def _file(installation, text, name="users.csv"):
    path = installation.home / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def _names(installation):
    return [one["username"] for one in document(installation.run("user", "list", "--json"))["users"]]


def test_import_makes_users(with_people):
    """Each row becomes a user with roles and a password that is shown once."""
    table = _HEADER + "curator,Library,Curator; Reviewer,Ünal,c@example.org,no,yes\nreader,library,Reader,,,yes,no\n"
    told = document(with_people.run("user", "import", _file(with_people, table), "--json"))
    assert (told["created"], told["changed"], told["unchanged"]) == (2, 0, 0)
    assert told["rows"][0]["password"]
    assert told["rows"][1]["password"] is None
    curator = document(with_people.run("user", "show", "curator", "--json"))
    assert (curator["roles"], curator["first_name"]) == (["Curator", "Reviewer"], "Ünal")
    assert curator["force_password_change"] is True
    reader = document(with_people.run("user", "show", "reader", "--json"))
    assert (reader["active"], reader["external_auth"]) == (False, True)


def test_dry_run_changes_nothing(with_people):
    """A dry run says what would happen and takes it all back."""
    path = _file(with_people, _HEADER + "curator,Library,Curator,,,no,yes\nadministrator,Library,Reader,,,no,yes\n")
    told = document(with_people.run("user", "import", path, "--dry-run", "--json"))
    assert [(one["username"], one["done"], one["changes"]) for one in told["rows"]] == [
        ("curator", "created", []),
        ("administrator", "changed", ["roles"]),
    ]
    assert _names(with_people) == ["administrator"]
    assert document(with_people.run("user", "show", "administrator", "--json"))["roles"] == ["System administrator"]


def test_one_bad_row_stops_all(with_people):
    """Every bad row is named by its line, and no good one is imported."""
    rows = [
        "curator,Library,Curator,,,no,yes",
        "archivist,Museum,Archivist,,,no,yes",
        '"two\nlines",Library,,,,no,yes',
        "reader,Library,Captain,,,no,yes",
        "curator,Library,,,,no,yes",
        "reviewer,Library,,,not-an-address,no,yes",
        "operator,Library,,,,perhaps,yes",
    ]
    told = error(with_people.run("user", "import", _file(with_people, _HEADER + "\n".join(rows)), "--json"), 2)
    assert told["code"] == "bad-rows"
    assert [fault.split(":")[0] for fault in told["faults"]] == [f"line {n}" for n in (3, 4, 6, 7, 8, 9)]
    assert "There is no agency 'Museum'" in told["faults"][0]
    assert "There is no role 'Captain'" in told["faults"][2]
    assert "twice" in told["faults"][3]
    assert _names(with_people) == ["administrator"]


@pytest.mark.parametrize("suffix", ["csv", "json"])
def test_export_round_trips(with_people, suffix):
    """What was exported is imported unchanged, and restores what was changed since."""
    document(with_people.run("agency", "create", "Museum", "--json"))
    table = _HEADER + 'curator,Library,Curator; Reviewer@Museum,"a ""quoted"", name",,no,yes\nreader,Museum,,,,yes,no\n'
    document(with_people.run("user", "import", _file(with_people, table), "--json"))
    path = str(with_people.home / f"out.{suffix}")
    assert document(with_people.run("user", "export", path, "--json"))["users"] == 3
    again = document(with_people.run("user", "import", path, "--json"))
    assert (again["created"], again["changed"], again["unchanged"]) == (0, 0, 3)
    before = document(with_people.run("user", "show", "curator", "--json"))
    other = _HEADER + "curator,Museum,,other,x@example.org,no,no\n"
    document(with_people.run("user", "import", _file(with_people, other), "--json"))
    document(with_people.run("user", "import", path, "--json"))
    after = document(with_people.run("user", "show", "curator", "--json"))
    assert {name for name in after if after[name] != before[name]} == {"updated", "version"}


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("username;agency\n", "lacks username, agency; has unknown username;agency"),
        ("username,agency,shoe size\n", "has unknown shoe size"),
        ("username\n", "lacks agency"),
        ("username,agency,username\n", "repeats username"),
    ],
)
def test_wrong_header(with_people, header, said):
    """Missing, unknown and repeated columns are named, with those that are known."""
    told = error(with_people.run("user", "import", _file(with_people, header + "a,b,c\n"), "--json"), 2)
    assert told["code"] == "bad-csv"
    assert said in told["message"]
    assert "notify_on_warnings" in told["remedy"]


def test_not_utf8_is_named_by_line_and_byte(with_people):
    """A table in another encoding is named by the place of its first odd byte."""
    told = error(with_people.run("user", "import", _file(with_people, b"username,agency\nj\xfcrg,L\n"), "--json"), 2)
    assert told["code"] == "bad-csv"
    assert told["where"].endswith("users.csv, line 2")
    assert "0xfc at offset 17" in told["message"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("empty.csv", b""),
        ("header.csv", b"username,agency\n"),
        ("nul.csv", b"username,agency\na\x00b,Library\n"),
        ("quotes.csv", b'username,agency\n"a"b,Library\n'),
        ("cells.csv", b"username,agency\na,Library,more\n"),
        ("broken.json", b'[{"username": '),
        ("object.json", b'{"username": "a"}'),
        ("number.json", b'[{"username": 7, "agency": "Library"}]'),
        ("nul.json", b'[{"username": "a\\u0000", "agency": "Library"}]'),
        ("lacking.json", b'[{"username": "a", "agency": "Library"}, {"username": "b"}]'),
        ("table.xls", b"anything"),
    ],
)
def test_tables_that_are_none(with_people, name, text):
    """Whatever is no table of users is refused by name, and nothing is changed."""
    told = error(with_people.run("user", "import", _file(with_people, text, name), "--json"), 2)
    assert name in told["where"]
    assert _names(with_people) == ["administrator"]


def test_file_that_is_not_there(with_people):
    """A file that cannot be read is named."""
    assert "nowhere.csv" in error(with_people.run("user", "import", "nowhere.csv", "--json"), 2)["where"]

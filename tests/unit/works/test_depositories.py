"""Depositories: every kind takes a package once, proves what it has, and is found out when it lies."""

import dataclasses
import hashlib
import json
import sys
from pathlib import Path

import pytest

from opilio.archive.store.memory import MemoryStore
from opilio.kernel.errors import Missing, NoSpace, OpilioError
from opilio.kernel.settings import Settings
from opilio.works.depositories.command import CommandDepository
from opilio.works.depositories.directory import DirectoryDepository
from opilio.works.depositories.errors import BadPlace, DepositRefused, NoAnswer, Untrue
from opilio.works.depositories.handing import hand_over, proven
from opilio.works.depositories.opened import Address, open_depository
from opilio.works.depositories.s3 import StoreDepository
from opilio.works.depositories.values import Package, Part
from tests.servers.deposits import DepositServer

LOOPBACK = ("127.0.0.0/8",)
COMMAND = """
import hashlib, json, pathlib, sys
asked = json.load(sys.stdin)
place = pathlib.Path(sys.argv[1])
mode = sys.argv[2] if len(sys.argv) > 2 else ""
place.joinpath("asked").open("a").write(asked["do"] + "\\n")
def stated():
    data = place.joinpath(asked["key"]).read_bytes()
    return {"id": "cmd/" + asked["key"], "size": len(data), "sha512": hashlib.sha512(data).hexdigest()}
if mode == "fail":
    print("no room, secret " + asked["secret"], file=sys.stderr); sys.exit(3)
if mode == "hang":
    import time; time.sleep(60)
if mode == "long":
    print("x" * 2_000_000); sys.exit(0)
if asked["do"] == "find" and not place.joinpath(asked["key"]).exists():
    print(json.dumps({"found": False})); sys.exit(0)
if asked["do"] == "deposit":
    place.joinpath(asked["key"]).write_bytes(pathlib.Path(asked["path"]).read_bytes())
    place.joinpath("answers").write_text(json.dumps(asked["answers"]))
if asked["do"] == "probe":
    sys.exit(0)
told = stated()
if mode == "lie":
    told["size"] += 1
print(json.dumps(told))
if mode == "twice":
    print(json.dumps(told))
"""


def silent(step, done, total):
    """Nobody looks."""


def part(path, data):
    return Part(path=path, size=len(data), sha512=hashlib.sha512(data).hexdigest())


@pytest.fixture
def bag(tmp_path):
    """A package that is a folder."""
    folder = tmp_path / "aside" / "harvest-1"
    files = {"bagit.txt": b"BagIt", "data/warcs/a.warc.gz": b"\x1f\x8b" * 5_000, "data/odd name%.txt": b""}
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return Package(key="harvest-1", path=folder, parts=tuple(part(name, data) for name, data in files.items()))


@pytest.fixture
def file(tmp_path):
    """A package that is one file."""
    path = tmp_path / "harvest-1.zip"
    path.write_bytes(b"PK" * 100_000)
    return Package(key="harvest-1", path=path, parts=(part(path.name, path.read_bytes()),))


@pytest.fixture
def server():
    with DepositServer() as made:
        yield made


@pytest.fixture
def http(server):
    """Opens the server."""

    def opened(**more):
        address = Address(kind="http", place=server.url, **{"timeout": 1, **more})
        return open_depository(address, Settings(deposit_allow_private=LOOPBACK))

    return opened


@pytest.fixture
def command(tmp_path):
    """A command that keeps packages in a folder; `command("lie")` misbehaves."""
    script, kept = tmp_path / "take.py", tmp_path / "kept"
    script.write_text(COMMAND)
    kept.mkdir()

    def made(*modes, **more):
        words = (sys.executable, str(script), str(kept), *modes)
        return CommandDepository(arguments=words, **{"timeout": 30, "secret": "owl-password", **more})

    made.kept = kept
    return made


@pytest.mark.parametrize("kind", ["directory", "store", "http", "command"])
def test_a_package_is_taken_once_and_proven(kind, request, tmp_path, bag, file):
    """The second hand-over of the same package finds what is there."""
    package = bag if kind in ("directory", "store") else file
    made = {
        "directory": lambda: DirectoryDepository(folder=tmp_path / "taken"),
        "store": lambda: StoreDepository(store=MemoryStore()),
        "http": lambda: request.getfixturevalue("http")(),
        "command": lambda: request.getfixturevalue("command")(),
    }[kind]()
    assert made.probe()
    assert made.find(package) is None
    first = hand_over(made, package, {"series": "Owls"}, silent)
    assert proven(made, package, first, silent).bytes == package.size
    again = hand_over(made, package, {}, silent)
    assert (again.archive_id, again.sha512) == (first.archive_id, package.sha512)


def test_what_lies_in_a_folder_is_the_package(tmp_path, bag):
    """Byte for byte, and nothing is left aside."""
    made = DirectoryDepository(folder=tmp_path / "taken")
    receipt = hand_over(made, bag, {}, silent)
    assert Path(receipt.where) == tmp_path / "taken" / "harvest-1"
    assert [one.name for one in (tmp_path / "taken").iterdir()] == ["harvest-1"]
    assert (tmp_path / "taken/harvest-1/data/odd name%.txt").is_file()


@pytest.mark.parametrize("damage", ["changed", "gone", "more"])
def test_a_folder_that_has_something_else_is_found_out(damage, tmp_path, bag):
    """Every file is read again, and no other may lie there."""
    made = DirectoryDepository(folder=tmp_path / "taken")
    receipt = hand_over(made, bag, {}, silent)
    warc = tmp_path / "taken/harvest-1/data/warcs/a.warc.gz"
    if damage == "changed":
        warc.write_bytes(b"\x1f\x8c" + warc.read_bytes()[2:])
    elif damage == "gone":
        warc.unlink()
    else:
        warc.with_name("strange").touch()
    with pytest.raises(Untrue):
        proven(made, bag, receipt, silent)


def test_a_full_disk_is_told_before_anything_is_copied(tmp_path, bag, monkeypatch):
    """Nothing is left behind."""
    monkeypatch.setattr("opilio.kernel.files.free_space", lambda path: 1_000)
    with pytest.raises(NoSpace, match="needed"):
        DirectoryDepository(folder=tmp_path / "taken").deposit(bag, {}, silent)
    assert list((tmp_path / "taken").iterdir()) == []


def test_a_bucket_that_lost_an_object_is_found_out(bag):
    """The receipt alone proves nothing."""
    store = MemoryStore()
    made = StoreDepository(store=store)
    receipt = hand_over(made, bag, {}, silent)
    store.delete("harvest-1/data/warcs/a.warc.gz")
    with pytest.raises(Untrue, match="not there"):
        proven(made, bag, receipt, silent)


def test_a_hand_over_to_a_bucket_goes_on_where_it_broke_off(bag):
    """Without the receipt, which is written last, nothing counts as handed over."""
    store = MemoryStore()
    store.put("harvest-1/bagit.txt", b"BagIt")
    made = StoreDepository(store=store)
    assert made.find(bag) is None
    assert hand_over(made, bag, {}, silent).size == bag.size


def test_a_post_carries_digest_key_and_kind(server, http, file):
    """As SWORD has it, so that the server can check what came."""
    hand_over(http(), file, {}, silent)
    sent = server.posted[0].headers
    assert sent["Idempotency-Key"] == "harvest-1"
    assert sent["Content-Disposition"] == 'attachment; filename="harvest-1.zip"'
    assert sent["Digest"].startswith("SHA-512=")
    assert sent["Packaging"].endswith("BagIt")


def test_an_answer_that_got_lost_is_found_by_its_key(server, http, file):
    """The package is posted once, whatever happens to the answer."""
    server.manners.loses_answer = 1
    with pytest.raises(NoAnswer):
        hand_over(http(), file, {}, silent)
    assert hand_over(http(), file, {}, silent).archive_id == "archive/harvest-1"
    assert len(server.posted) == 1


@pytest.mark.parametrize(
    ("lies", "words"),
    [
        ({"size": 1}, "says it has 1 bytes"),
        ({"sha512": "0" * 128}, "says it has"),
        ({"sha512": "short"}, "no sha512"),
        ({"id": ""}, "no identifier"),
        ({"id": "x" * 300}, "no identifier"),
        ({"size": "many"}, "no size"),
    ],
)
def test_a_server_that_lies_is_found_out(lies, words, server, http, file):
    """What it says must be about what was sent."""
    server.manners.lies = lies
    with pytest.raises(Untrue, match=words):
        hand_over(http(), file, {}, silent)


def test_a_server_that_gives_back_other_bytes_is_found_out(server, http, file):
    """Though its statements are right, what it has is read again."""
    receipt = hand_over(http(), file, {}, silent)
    server.manners.spoils = b"PK" * 99_999 + b"XX"
    with pytest.raises(Untrue, match="gives back"):
        proven(http(), file, receipt, silent)


def test_a_server_that_names_one_package_twice_is_found_out(server, http, file):
    """One package has one identifier."""
    server.manners.renames = True
    receipt = hand_over(http(), file, {}, silent)
    with pytest.raises(Untrue, match="calls one package"):
        proven(http(), file, receipt, silent)


def test_a_server_that_sends_readers_elsewhere_is_found_out(server, http, file):
    """What another server gives proves nothing."""
    receipt = hand_over(http(), file, {}, silent)
    server.manners.lies = {"content": "http://127.0.0.2:9/x"}
    with pytest.raises(Untrue, match="another server"):
        proven(http(), file, receipt, silent)


def test_a_server_that_forgot_is_found_out(server, http, file):
    """A receipt is worth what is there."""
    receipt = hand_over(http(), file, {}, silent)
    server.manners.forgets = True
    with pytest.raises(Untrue, match="nothing under the key"):
        proven(http(), file, receipt, silent)


def test_a_statement_alone_is_told_apart_from_bytes_read_again(server, http, file):
    """Where a server tells no address of the bytes, its word is all there is, and the receipt says so."""
    server.manners.tells_content = False
    receipt = hand_over(http(), file, {}, silent)
    assert "stated" in proven(http(), file, receipt, silent).how


@pytest.mark.parametrize(
    ("status", "error"), [(500, NoAnswer), (503, NoAnswer), (429, NoAnswer), (202, NoAnswer), (400, DepositRefused),
                          (403, DepositRefused), (302, DepositRefused), (307, DepositRefused), (413, DepositRefused)]
)  # fmt: skip
def test_answers_say_whether_to_try_again(status, error, server, http, file):
    """A server in trouble is asked again, one that says no is not; redirects are not followed."""
    server.manners.answers = [status]
    with pytest.raises(error, match=str(status) if status != 202 else "not done"):
        hand_over(http(), file, {}, silent)


def test_a_silent_server_is_given_up(server, http, file):
    """When nothing moves for the time that was set."""
    server.manners.silent = True
    with pytest.raises(NoAnswer, match="nothing moved"):
        hand_over(http(timeout=0.3), file, {}, silent)


def test_a_secret_is_shown_as_a_bearer(server, http, file):
    """And a server that does not know it says no."""
    server.manners.password = "reed"
    assert hand_over(http(secret="reed"), file, {}, silent).archive_id
    with pytest.raises(DepositRefused, match="401"):
        http(secret="other").find(file)


def test_private_addresses_are_reached_only_where_operators_allow_it(server, file):
    """The address is looked at when the connection is made."""
    made = open_depository(Address(kind="http", place=server.url), Settings())
    with pytest.raises(DepositRefused, match="deposit_allow_private"):
        made.find(file)
    assert server.asked == []


def test_somebody_who_leaves_ends_the_sending(http, file):
    """What the listener raises comes out of the exchange."""

    def leave(step, done, total):
        raise Missing("the agent leaves")

    with pytest.raises(Missing, match="leaves"):
        hand_over(http(), file, {}, leave)


def test_a_command_hears_answers(command, file):
    """It is asked first, and handed the package once."""
    made = command()
    receipt = hand_over(made, file, {"series": "Owls & <b>"}, silent)
    proven(made, file, receipt, silent)
    assert json.loads((command.kept / "answers").read_text()) == {"series": "Owls & <b>"}
    assert (command.kept / "asked").read_text().split() == ["find", "deposit", "check"]


@pytest.mark.parametrize(
    ("mode", "error", "words"),
    [("fail", DepositRefused, "ended with 3: no room"), ("lie", Untrue, "says it has"),
     ("twice", Untrue, "not one JSON"),
     ("long", Untrue, "more than anybody reads")],
)  # fmt: skip
def test_a_command_that_misbehaves_is_found_out(mode, error, words, command, file):
    """Whatever it says; its complaint is told without the secret."""
    (command.kept / file.key).write_bytes(file.path.read_bytes())
    with pytest.raises(error, match=words) as told:
        hand_over(command(mode), file, {}, silent)
    assert "owl-password" not in str(told.value)


def test_a_command_that_hangs_is_ended(command, file):
    """Together with what it started."""
    with pytest.raises(NoAnswer, match="did not end"):
        command("hang", timeout=0.3).find(file)


@pytest.mark.parametrize(
    "address",
    [
        Address(kind="directory", place="/etc"),
        Address(kind="directory", place="relative"),
        Address(kind="directory", place="/home-of-owls/../etc"),
        Address(kind="s3", place="/tmp/x"),
        Address(kind="s3", place="s3://key:secret@bucket"),
        Address(kind="http", place="ftp://archive.example/"),
        Address(kind="http", place="http://user:owl-password@archive.example/"),
        Address(kind="http", place="http://archive.example/", secret="owl-password"),
        Address(kind="http", place="not a url"),
        Address(kind="http", place="http://archive.example/", form="ocfl"),
        Address(kind="command", place="/bin/sh -c true"),
        Address(kind="command", place='"/bin/sh'),
        Address(kind="command", place=""),
        Address(kind="pigeon", place="loft"),
    ],
)
def test_places_that_operators_do_not_allow_are_refused(address, tmp_path):
    """With what to do instead, and without repeating secrets."""
    with pytest.raises(OpilioError) as told:
        open_depository(address, Settings(home=tmp_path / "home", deposit_commands=("/usr/bin/take",)))
    assert told.value.remedy
    assert "owl-password" not in str(told.value)


def test_what_operators_name_is_allowed(tmp_path):
    """Folders and programs."""
    given = Settings(deposit_folders=(str(tmp_path),), deposit_commands=("/usr/bin/take",))
    assert open_depository(Address(kind="directory", place=str(tmp_path / "in")), given)
    opened = open_depository(Address(kind="command", place="/usr/bin/take --in 'a b'"), given)
    assert opened.arguments == ("/usr/bin/take", "--in", "a b")
    with pytest.raises(BadPlace, match="cannot be started"):
        dataclasses.replace(opened, arguments=("/nowhere/take",)).probe()

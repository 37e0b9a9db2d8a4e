"""From all sources into one folder: once each, from the best source, and from the next when that fails."""

import io
import json
import os
import threading
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest

from opilio import deliveries
from opilio.cli.main import main
from opilio.deliveries.errors import SourceAway
from opilio.deliveries.journal import FileJournal
from opilio.deliveries.profile import Settling, profile
from opilio.deliveries.pulling import Became, Puller
from opilio.deliveries.source import Source, SourceProtocol
from opilio.deliveries.source_file import sources_from
from opilio.deliveries.sources.folder import FolderConnection
from opilio.kernel.clock import ManualClock
from opilio.kernel.errors import NoSpace

IMPC = profile("impc").model_copy(update={"settling": Settling(looks=1)})
NAME = "J.2024-02-29.1.impc.zip"
SHIPPED = Path(deliveries.__file__).parent / "profiles"


def archive(text="<a/>"):
    """A delivery with one document."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as opened:
        opened.writestr("J.2024-02-29.1.specimen.impc.xml", text)
    return made.getvalue()


class Partners:
    """Sources that are folders, with faults on demand."""

    def __init__(self, folder):
        self.folder = folder
        self.clock = ManualClock()
        self.profile = IMPC
        self.sources = []
        self.broken = {}  # source: error of each fetch
        self.fetched = []  # (source, path)
        self.listed = threading.Event()

    def source(self, name, **fields):
        """A source with the three folders."""
        for action in ("add", "edit", "delete"):
            (self.folder / name / action).mkdir(parents=True)
        made = Source(name=name, protocol=SourceProtocol.FOLDER, base=str(self.folder / name), **fields)
        self.sources.append(made)
        return made

    def lay(self, source, name=NAME, content=None, action="add"):
        """A file at a source, with the same time everywhere."""
        path = self.folder / source / action / name
        path.write_bytes(archive() if content is None else content)
        os.utime(path, (1e9, 1e9))

    def opener(self, source):
        """Notes what is fetched, and fails when told to."""
        partners = self

        class Faulty(FolderConnection):
            def fetch(self, path, offset, take):
                partners.fetched.append((source.name, path))
                if source.name in partners.broken:
                    raise partners.broken[source.name]
                super().fetch(path, offset, take)

        return Faulty(source)

    def pull(self, **options):
        """Pull with what an earlier pull left."""
        journal = FileJournal(self.folder / "journal")
        puller = Puller(
            self.profile, self.sources, journal, self.folder / "into", centres=frozenset(IMPC.centres),
            opener=self.opener, clock=self.clock,
        )  # fmt: skip
        return puller.pull(limit=30, **options)

    def became(self):
        """What became of each, in one pull."""
        return [(line.name, line.became.value, line.source) for line in self.pull().lines]


@pytest.fixture
def partners(tmp_path):
    """Nobody yet."""
    return Partners(tmp_path)


def test_a_delivery_is_pulled_once(partners):
    """And unpacked; the next pull sees that it is here."""
    partners.source("barn")
    partners.lay("barn")
    account = partners.pull()
    assert [(line.became, line.documents) for line in account.lines] == [(Became.PULLED, 1)]
    assert account.good
    place = partners.folder / "into" / "add" / NAME / "1"
    assert (place / "delivery.zip").read_bytes() == archive()
    assert (place / "documents" / "00001").read_text() == "<a/>"
    assert partners.became() == [(NAME, "here", "barn")]
    assert len(partners.fetched) == 1


def test_each_folder_is_an_action_of_its_own(partners):
    """The same name to be added and to be deleted is two deliveries."""
    partners.source("barn")
    for action in ("add", "edit", "delete"):
        partners.lay("barn", action=action)
    assert [line.action for line in partners.pull().lines] == ["add", "delete", "edit"]


def test_the_same_file_on_two_sources_comes_from_the_preferred_one(partners):
    """Once."""
    partners.source("barn", preference=1)
    partners.source("stable", preference=5)
    partners.lay("barn")
    partners.lay("stable")
    assert partners.became() == [(NAME, "pulled", "stable")]
    assert [source for source, _ in partners.fetched] == ["stable"]


def test_the_own_source_of_the_centre_comes_before_a_preferred_one(partners):
    """The name says who made it."""
    partners.source("mirror", preference=5)
    partners.source("own", centre="J")
    partners.lay("mirror")
    partners.lay("own")
    assert partners.became() == [(NAME, "pulled", "own")]


def test_when_the_preferred_source_fails_the_next_is_asked(partners):
    """In the same pull; each attempt is remembered."""
    partners.source("barn", preference=5)
    partners.source("stable")
    partners.lay("barn")
    partners.lay("stable")
    partners.broken["barn"] = SourceAway("It broke off")
    assert partners.became() == [(NAME, "pulled", "stable")]
    assert [source for source, _ in partners.fetched] == ["barn", "stable"]
    assert FileJournal(partners.folder / "journal").record("barn").failures == 1


def test_what_failed_is_tried_again_later(partners):
    """With a pause that grows; it does not fail for ever."""
    partners.source("barn")
    partners.lay("barn")
    partners.broken["barn"] = SourceAway("It broke off")
    assert partners.became() == [(NAME, "failed", "")]
    assert partners.became() == [(NAME, "waiting", "")]
    assert len(partners.fetched) == 1
    partners.clock.advance(timedelta(minutes=6).total_seconds())
    partners.broken.clear()
    assert partners.became() == [(NAME, "pulled", "barn")]


def test_the_same_name_with_another_content_is_a_new_revision(partners):
    """The first one stays."""
    partners.source("barn")
    partners.lay("barn")
    partners.pull()
    partners.lay("barn", content=archive("<changed/>"))
    assert partners.became() == [(NAME, "pulled", "barn")]
    place = partners.folder / "into" / "add" / NAME
    assert [(place / number / "documents" / "00001").read_text() for number in "12"] == ["<a/>", "<changed/>"]


def test_what_cannot_be_unpacked_is_the_partners_to_mend(partners):
    """No other source is asked, and it is not fetched again until it changes."""
    partners.source("barn", preference=1)
    partners.source("stable")
    for source in ("barn", "stable"):
        partners.lay(source, content=b"no zip file")
    account = partners.pull()
    assert [(line.became, line.source) for line in account.lines] == [(Became.DAMAGED, "barn")]
    assert not account.good
    assert partners.became() == [(NAME, "damaged", "barn")]
    assert len(partners.fetched) == 1
    partners.lay("barn")
    partners.lay("stable")
    assert partners.became() == [(NAME, "pulled", "barn")]


def test_damage_on_the_way_is_fetched_elsewhere(partners):
    """A checksum beside the file tells it from damage at the source."""
    partners.source("barn", preference=1)
    partners.source("stable")
    partners.lay("barn")
    partners.lay("stable")
    (partners.folder / "barn" / "add" / f"{NAME}.sha256").write_text("0" * 64)
    assert partners.became() == [(NAME, "pulled", "stable")]


def test_mirrors_that_disagree_are_told(partners):
    """Nobody knows which one is right."""
    partners.source("barn")
    partners.source("stable")
    partners.lay("barn")
    partners.lay("stable", content=archive("<longer than the other/>"))
    account = partners.pull()
    assert account.disagree == [f"add/{NAME}"]
    assert not account.good


def test_names_that_do_not_conform_are_told_and_not_fetched(partners):
    """Each time, for rules and centres may change."""
    partners.source("barn")
    partners.lay("barn", "J.2024-02-31.1.impc.zip")
    account = partners.pull()
    assert [(line.became, "calendar" in line.why) for line in account.lines] == [(Became.REFUSED, True)]
    assert partners.fetched == []


def test_a_file_that_is_still_written_waits(partners):
    """Until it looked the same twice."""
    partners.profile = profile("impc")
    partners.source("barn")
    partners.lay("barn")
    assert partners.became() == [(NAME, "waiting", "")]
    partners.clock.advance(120)
    partners.lay("barn", content=archive() + b"more")
    assert partners.became() == [(NAME, "waiting", "")]
    partners.clock.advance(120)
    assert partners.became() == [(NAME, "pulled", "barn")]


def test_a_source_that_is_away_keeps_nobody_waiting(partners):
    """It is named; what others have comes."""
    partners.source("barn")
    partners.lay("barn")
    partners.sources.append(Source(name="gone", protocol=SourceProtocol.FOLDER, base=str(partners.folder / "gone")))
    account = partners.pull()
    assert [line.became for line in account.lines] == [Became.PULLED]
    assert list(account.away) == ["gone"]
    assert not account.good


def test_a_full_disk_is_ours_to_mend(partners, monkeypatch):
    """No source is blamed for it."""
    partners.source("barn")
    partners.lay("barn")
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 10})())
    with pytest.raises(NoSpace):
        partners.pull()


def test_a_journal_that_was_cut_off_is_read(partners):
    """All but the line that a crash left half written."""
    partners.source("barn")
    partners.lay("barn")
    partners.pull()
    with (partners.folder / "journal").open("ab") as journal:
        journal.write(b'{"kept": {"act')
    assert partners.became() == [(NAME, "here", "barn")]


def test_no_more_connections_than_a_source_allows(partners):
    """However many downloaders there are."""
    partners.source("barn", connections=2)
    for number in range(1, 9):
        partners.lay("barn", f"J.2024-02-29.{number}.impc.zip")
    open_now, most, lock = [], [], threading.Lock()
    opener = partners.opener

    def counted(source):
        made = opener(source)
        fetch = made.fetch

        def counting(*arguments):
            with lock:
                open_now.append(1)
                most.append(len(open_now))
            fetch(*arguments)
            with lock:
                open_now.pop()

        made.fetch = counting
        return made

    partners.opener = counted
    account = partners.pull(downloaders=8)
    assert [line.became for line in account.lines] == [Became.PULLED] * 8
    assert max(most) <= 2


def written(tmp_path, text):
    """A file of sources."""
    (tmp_path / "sources.toml").write_text(text)
    return str(tmp_path / "sources.toml")


def test_the_command_pulls_by_a_file_of_sources(partners, tmp_path, capsys):
    """And remembers in the folder what came; the exit code says whether all did."""
    partners.source("barn")
    partners.lay("barn")
    sources = written(tmp_path, f'[[source]]\nname = "barn"\nprotocol = "folder"\nbase = "{tmp_path / "barn"}"\n')
    own = tmp_path / "own.toml"
    own.write_text((SHIPPED / "impc.toml").read_text() + "\n[settling]\nlooks = 1\n")
    arguments = ["delivery", "pull", sources, "--into", str(tmp_path / "got"), "--profile", str(own), "--json"]
    assert main(arguments) == 0
    assert [one["became"] for one in json.loads(capsys.readouterr().out)["deliveries"]] == ["pulled"]
    assert main(arguments) == 0
    assert [one["became"] for one in json.loads(capsys.readouterr().out)["deliveries"]] == ["here"]
    partners.lay("barn", "nonsense.zip")
    assert main(arguments) == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "source"),
        ("[[source]]", "source.0.name"),
        ('[[source]]\nname = "a"\nprotocol = "gopher"', "protocol"),
        ('[[source]]\nname = "a"\nprotocol = "sftp"', "host"),
        ('[[source]]\nname = "a"\nprotocol = "sftp"\nhost = "h"\nport = 70000', "70000"),
        ('[[source]]\nname = "a"\nprotocol = "folder"\npassword = "x"', "password"),
        ('[[source]]\nname = "a"\nprotocol = "folder"\npassword_file = "none"', "none"),
        ('[[source]]\nname = "a"\nprotocol = "folder"\nconnections = 0', "connections"),
        ('[[source]]\nname = "a"\nprotocol = "folder"\n' * 2, "Two sources"),
        ("nonsense", "TOML"),
    ],
)
def test_a_file_of_sources_that_cannot_be_used(tmp_path, capsys, text, told):
    """Is refused with its place, before anything is asked for."""
    assert main(["delivery", "pull", written(tmp_path, text), "--into", str(tmp_path / "got")]) == 2
    assert told in capsys.readouterr().err


def test_secrets_come_from_files_of_their_own(tmp_path):
    """Beside the file of sources, without the line break that editors add."""
    (tmp_path / "word").write_text("hunter2\n")
    path = written(tmp_path, '[[source]]\nname = "a"\nprotocol = "ftp"\nhost = "h"\npassword_file = "word"')
    assert sources_from(Path(path))[0].password == "hunter2"

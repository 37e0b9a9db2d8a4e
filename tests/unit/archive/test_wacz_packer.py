"""What a WACZ holds, down to its bytes; and its signature."""

import base64
import errno
import gzip
import hashlib
import io
import json
import zipfile

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_der_public_key,
)

from opilio.archive.packing.aside import new_file
from opilio.archive.wacz import packer
from opilio.archive.wacz.errors import BadSigningKey
from opilio.archive.wacz.layout import About
from opilio.archive.wacz.reader import WaczFile
from opilio.archive.wacz.signing import is_signed_well, read_key
from opilio.archive.wacz.zip_entries import ZipEntries
from opilio.kernel.errors import Conflict, Damaged, NoSpace
from tests.unit.archive.parcels import small_crawl

ABOUT = About(created="2026-01-02T00:00:00Z", software="test", title="Barns", main_page_url="http://example.com/")


@pytest.fixture(scope="module")
def parcel(tmp_path_factory):
    return small_crawl(tmp_path_factory.mktemp("crawl") / "barns")


@pytest.fixture(scope="module")
def key(tmp_path_factory):
    return written_key(tmp_path_factory.mktemp("keys") / "key.pem", ec.generate_private_key(ec.SECP384R1()))


def written_key(path, key, encryption=None):
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption or NoEncryption()))
    return path


def packed(parcel, **options):
    stream = io.BytesIO()
    done = packer.pack(stream, parcel, ABOUT, **options)
    return stream.getvalue(), done


def opened(data):
    return zipfile.ZipFile(io.BytesIO(data))


def documents(data):
    with opened(data) as found:
        return {name: found.read(name) for name in found.namelist()}


def test_every_file_is_stored_and_listed_with_its_digest(parcel):
    """Nothing is compressed, and the datapackage has digest and length of all files but itself and its digest."""
    data, done = packed(parcel)
    with opened(data) as found:
        assert {info.compress_type for info in found.infolist()} == {zipfile.ZIP_STORED}
        assert found.testzip() is None
    files = documents(data)
    package = json.loads(files.pop("datapackage.json"))
    digest = json.loads(files.pop("datapackage-digest.json"))
    listed = {each["path"]: (each["hash"], each["bytes"]) for each in package["resources"]}
    assert listed == {name: (f"sha256:{hashlib.sha256(body).hexdigest()}", len(body)) for name, body in files.items()}
    assert len({each["name"] for each in package["resources"]}) == len(files)
    assert {name: package[name] for name in ("profile", "wacz_version", "title", "mainPageUrl", "created")} == {
        "profile": "data-package", "wacz_version": "1.1.1", "title": "Barns", "mainPageUrl": "http://example.com/",
        "created": "2026-01-02T00:00:00Z",
    }  # fmt: skip
    assert digest == {"path": "datapackage.json", "hash": done.digest}
    assert "description" not in package


def test_the_warc_files_are_in_it_byte_by_byte(parcel):
    """A record can be read out of the middle of the package, at the place that the index says."""
    data, done = packed(parcel)
    files = documents(data)
    assert done.warcs == 1
    for warc in parcel.warcs:
        assert files[f"archive/{warc.name}"] == warc.path.read_bytes()


def test_the_index_is_found_through_its_list(parcel):
    """Each line of the list leads to a gzip member; all members together are the CDXJ lines."""
    data, done = packed(parcel)
    files = documents(data)
    head, *keys = files["indexes/index.idx"].decode().splitlines()
    assert json.loads(head.removeprefix("!meta 0 ")) == {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}
    lines = b""
    for key in keys:
        surt, time, told = key.split(" ", 2)
        place = json.loads(told)
        member = files["indexes/index.cdx.gz"][place["offset"] : place["offset"] + place["length"]]
        assert place["digest"] == f"sha256:{hashlib.sha256(member).hexdigest()}"
        lines += gzip.decompress(member)
        assert lines.decode().splitlines()[0].startswith(f"{surt} {time} ")
    assert lines.splitlines(keepends=True) == list(parcel.lines())
    assert done.captures == 3


def test_seeds_and_other_pages_are_listed_apart(parcel):
    """With titles and times; a picture is no page. Texts come only when they are asked for."""
    files = documents(packed(parcel)[0])
    head, seed = map(json.loads, files["pages/pages.jsonl"].splitlines())
    assert head == {"format": "json-pages-1.0", "id": "pages", "title": "Seeds"}
    assert (seed["url"], seed["title"], seed["ts"]) == ("http://example.com/", "Page ", "2026-01-01T12:00:00.123Z")
    assert (seed["seed"], "text" in seed) == (True, False)
    _, other = map(json.loads, files["pages/extraPages.jsonl"].splitlines())
    assert (other["url"], other["depth"], "seed" in other) == ("http://example.com/barn", 1, False)
    with_text = documents(packed(parcel, text=True)[0])
    head, seed = map(json.loads, with_text["pages/pages.jsonl"].splitlines())
    assert (head["hasText"], seed["text"]) == (True, "text of http://example.com/")


def test_the_same_result_gives_the_same_bytes(parcel, key):
    """Also when it is signed: whoever packs again can compare."""
    signer = read_key(key)
    assert packed(parcel, signer=signer)[0] == packed(parcel, signer=signer)[0]


def test_a_signature_is_checked_as_browsers_do(parcel, key, tmp_path):
    """Both numbers stand plainly one behind the other, over the text of the digest; any change is noticed."""
    data, done = packed(parcel, signer=read_key(key))
    signed = json.loads(documents(data)["datapackage-digest.json"])["signedData"]
    assert signed["hash"] == done.digest
    assert signed["created"] == ABOUT.created
    assert is_signed_well(signed, done.digest)
    raw = base64.b64decode(signed["signature"])
    numbers = encode_dss_signature(int.from_bytes(raw[:48], "big"), int.from_bytes(raw[48:], "big"))
    public = load_der_public_key(base64.b64decode(signed["publicKey"]))
    public.verify(numbers, done.digest.encode(), ec.ECDSA(SHA256()))
    assert is_signed_well({**signed, "signature": base64.b64encode(numbers).decode()}, done.digest)
    assert not is_signed_well(signed, "sha256:" + "0" * 64)
    assert not is_signed_well({**signed, "signature": "AAAA"}, done.digest)
    assert not is_signed_well({**signed, "publicKey": "no key"}, done.digest)
    assert not is_signed_well({**signed, "signature": 7}, done.digest)
    path = tmp_path / "signed.wacz"
    path.write_bytes(data)
    with WaczFile(path) as wacz:
        assert list(wacz.faults()) == []


def test_keys_of_another_kind_are_refused(tmp_path):
    """The message names the file and the command that makes a key."""
    unfit = {
        "curve": written_key(tmp_path / "curve", ec.generate_private_key(ec.SECP256R1())),
        "kind": written_key(tmp_path / "kind", ed25519.Ed25519PrivateKey.generate()),
        "locked": written_key(
            tmp_path / "locked", ec.generate_private_key(ec.SECP384R1()), BestAvailableEncryption(b"word")
        ),
        "garbage": tmp_path / "garbage",
    }
    unfit["garbage"].write_bytes(b"\x00 no key")
    for path in unfit.values():
        with pytest.raises(BadSigningKey, match="openssl") as failed:
            read_key(path)
        assert failed.value.where == str(path)


def test_a_warc_file_that_changed_since_the_sealing_is_not_packed(tmp_path):
    """Nothing is left of the package."""
    parcel = small_crawl(tmp_path / "crawl")
    path = parcel.warcs[0].path
    data = bytearray(path.read_bytes())
    data[-20] ^= 1
    path.write_bytes(data)
    with pytest.raises(Damaged, match="not as it was sealed"), new_file(tmp_path / "out.wacz") as stream:
        packer.pack(stream, parcel, ABOUT)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["crawl"]


def test_nothing_is_replaced_and_a_full_disk_leaves_nothing(tmp_path):
    """What is there stays; an error while writing removes what was begun."""
    taken = tmp_path / "taken.wacz"
    taken.write_text("mine")
    with pytest.raises(Conflict, match="there already"), new_file(taken):
        pass
    assert taken.read_text() == "mine"
    with pytest.raises(NoSpace), new_file(tmp_path / "full.wacz"):
        raise OSError(errno.ENOSPC, "full")
    assert [each.name for each in tmp_path.iterdir()] == ["taken.wacz"]


def test_a_name_that_is_taken_meanwhile_is_not_replaced(tmp_path):
    """The one who came first keeps it."""
    path = tmp_path / "late.wacz"
    with pytest.raises(Conflict), new_file(path):
        path.write_bytes(b"first")
    assert path.read_bytes() == b"first"
    assert [each.name for each in tmp_path.iterdir()] == ["late.wacz"]


def test_what_a_killed_process_left_is_taken_over(tmp_path):
    """And nobody else can make the same file meanwhile."""
    path = tmp_path / "out.wacz"
    left = tmp_path / ".out.wacz.unfinished"
    left.write_bytes(b"half of it")
    with new_file(path) as stream:
        stream.write(b"whole")
        with pytest.raises(Conflict, match="another process"), new_file(path):
            pass
    assert path.read_bytes() == b"whole"
    assert not left.exists()


def test_files_beyond_four_gigabytes_are_written_as_zip64(monkeypatch):
    """The limit is made small here; readers find the true sizes."""
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 1_000)
    stream = io.BytesIO()
    with ZipEntries(stream) as entries:
        entries.add("archive/large.warc", [b"x" * 4_000], size=4_000)
        entries.add("pages/pages.jsonl", [b"y" * 10])
    with opened(stream.getvalue()) as found:
        assert found.getinfo("archive/large.warc").file_size == 4_000
        assert found.read("pages/pages.jsonl") == b"y" * 10

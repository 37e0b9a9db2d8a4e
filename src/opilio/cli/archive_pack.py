"""`opilio archive pack DIR`: hand a result over as WACZ, as a pywb collection or as a bag."""

from pathlib import Path
from typing import Annotated

import typer

from opilio.cli.archive_options import FOLDER, RESULT
from opilio.cli.bars import bars
from opilio.cli.command import command
from opilio.cli.output import Answer, Fields
from opilio.kernel.errors import InvalidInput
from opilio.works.pack_crawl import Form, PackedCrawl, Wishes
from opilio.works.pack_crawl import pack as pack_crawl

_OUTPUT = Annotated[
    Path, typer.Option("--output", metavar="PATH", help="The file (wacz) or folder to make.", show_default=False)
]


def add_to(app: typer.Typer) -> None:
    """Add the verb to those of `opilio archive`."""
    command(app, "pack")(pack)


def pack(
    folder: FOLDER,
    path: _OUTPUT,
    form: Annotated[Form, typer.Option("--format", help="The form to hand it over in.")] = Form.WACZ,
    result: RESULT = None,
    title: Annotated[str, typer.Option("--title", help="What it is called; default: the name of DIR.")] = "",
    description: Annotated[str, typer.Option("--description", help="What it is, in a few sentences.")] = "",
    text: Annotated[bool, typer.Option("--text", help="wacz: put the texts of pages in, for searching.")] = False,
    sign: Annotated[
        Path | None, typer.Option("--sign", metavar="KEY", help="wacz: sign with this P-384 key in PEM form.")
    ] = None,
    self_contained: Annotated[
        bool, typer.Option("--self-contained", help="Copy in what its captures need of other crawls.")
    ] = False,
    without_originals: Annotated[
        bool, typer.Option("--without-originals", help="Pack though its captures need other crawls.")
    ] = False,
    against: Annotated[
        list[Path] | None, typer.Option("--against", metavar="DIR", help="A further crawl to look for originals in.")
    ] = None,
    name: Annotated[str, typer.Option("--name", help="pywb: name of the collection.")] = "",
    access: Annotated[
        Path | None, typer.Option("--access", metavar="FILE", help="pywb: compiled rules of access.")
    ] = None,
    access_key: Annotated[
        Path | None, typer.Option("--access-key", metavar="FILE", help="pywb: the public key of those rules.")
    ] = None,
    agency: Annotated[str, typer.Option("--agency", help="pywb: whose captures these are, for those rules.")] = "",
    target: Annotated[str, typer.Option("--target", help="pywb: number of their target, for those rules.")] = "",
    harvest: Annotated[str, typer.Option("--harvest", help="pywb: number of their harvest, for those rules.")] = "",
    info: Annotated[
        list[str] | None, typer.Option("--info", metavar="LABEL:VALUE", help="bagit: a line of bag-info.txt.")
    ] = None,
    link: Annotated[
        bool, typer.Option("--link", help="pywb, bagit: hard links in place of copies, where the disk allows it.")
    ] = False,
) -> Answer:
    """Pack a result of a crawl for others. Nothing that is there is replaced."""
    wishes = Wishes(
        form=form, result=result, title=title, description=description, name=name, text=text, sign=sign,
        self_contained=self_contained, without_originals=without_originals, against=tuple(against or ()), access=access,
        access_key=access_key, agency=agency, target=target, harvest=harvest, link=link,
        info=tuple(map(_pair, info or ())),
    )  # fmt: skip
    with bars() as told:
        packed = pack_crawl(folder, path, wishes, told=told)
    return _answer(packed)


def _answer(packed: PackedCrawl) -> Answer:
    document = {
        "output": str(packed.output), "format": packed.form.value, "bytes": packed.bytes, "warcs": packed.warcs,
        "originals": packed.originals, "needed": packed.needed, "pages": packed.pages, "captures": packed.captures,
        "signed": packed.signed, "digest": packed.digest, "lightened": packed.lightened,
        "with_pruned": packed.with_pruned,
    }  # fmt: skip
    pairs = [(name, value) for name, value in document.items() if value not in (None, "", 0, False)]
    notes = []
    if packed.with_pruned:
        notes.append("A bag is the whole object: it also holds what was pruned from the result.")
    if packed.needed:
        notes += [f"{packed.needed} captures need other crawls, which whoever gets this must have too."]
    return Answer(document=document, parts=[Fields(pairs=pairs), *notes])


def _pair(line: str) -> tuple[str, str]:
    label, colon, value = line.partition(":")
    if not colon or not value.strip():
        raise InvalidInput(f"{line[:80]!r} is no line of bag-info.txt", remedy="Write it as Label: value.")
    return label.strip(), value.strip()

"""`opilio url`: a URL as Opilio sees it."""

from typing import Annotated, Any

import typer

from opilio.cli.command import command, noun_app
from opilio.cli.output import Answer, Fields
from opilio.kernel import addresses, hosts, surt, urls
from opilio.kernel.errors import InvalidInput
from opilio.kernel.urls import UrlParts

app = noun_app("Look at URLs as Opilio sees them.")


@command(app, "show")
def show(
    address: Annotated[str, typer.Argument(metavar="URL", help="The URL, in full.", show_default=False)],
) -> Answer:
    """Take a URL apart: parts, canonical form, SURT, host key, registrable domain, private address or not."""
    parts = urls.parse(address)
    document = {**_parts(parts), **(_derived(address, parts) if parts.fetchable else {"fetchable": False})}
    pairs = [(name.replace("_", " "), value) for name, value in document.items() if value not in ("", None)]
    return Answer(document=document, parts=[Fields(pairs=pairs)])


def _parts(parts: UrlParts) -> dict[str, Any]:
    return {
        "scheme": parts.scheme,
        "username": parts.username,
        "password": "given" if parts.password else "",
        "host": parts.host,
        "host_shown": hosts.to_unicode(parts.host),
        "port": parts.effective_port,
        "path": parts.path,
        "query": parts.query,
        "fragment": parts.fragment,
    }


def _derived(address: str, parts: UrlParts) -> dict[str, Any]:
    canonical = urls.canonical(address)
    return {
        "fetchable": True,
        "canonical": canonical,
        "canonical_version": urls.CANONICAL_VERSION,
        "hash64": str(urls.url_hash64(canonical)),
        "surt": surt.surt(address),
        "host_key": hosts.host_key(address),
        "registrable_domain": hosts.registrable_domain(urls.parse(canonical).host),
        **_address(parts.host),
    }


def _address(host: str) -> dict[str, Any]:
    """Whether a host that is an IP address may be fetched; a name is judged when it is resolved."""
    try:
        reason = addresses.why_private(host)
    except InvalidInput:
        return {"is_address": False, "private": None, "private_because": None}
    return {"is_address": True, "private": reason is not None, "private_because": reason}

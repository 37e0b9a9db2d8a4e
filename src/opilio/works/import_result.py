"""Writes what an import gathered as result 1 of a crawl: the result with its manifest, the index of all captures."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from opilio import __version__
from opilio.archive.cdxj import CdxRow, write_cdxj
from opilio.archive.imports.placing import Placed
from opilio.archive.results.manifest import sha256_of, write_manifest
from opilio.archive.results.values import Head, Resource, ResultHost, ResultWarc
from opilio.archive.results.writer import ResultWriter
from opilio.crawl.plan_json import to_json
from opilio.kernel.capture import Position
from opilio.kernel.digests import parse_digest
from opilio.works.crawl_folder import CrawlFolder
from opilio.works.import_staging import CaptureRow, Staging
from opilio.works.seal_crawl import Told
from opilio.works.sealed_crawl import results_of

_PAGES = """
    SELECT p.id, p.host, p.hash64, p.url, p.seed, p.outcome, p.reason, p.status, p.type, p.extension, p.size, p.digest,
        p.title, p.language, p.meta, p.last_modified, p.etag, p.depth, p.hops, p.parent_host, p.parent_hash, p.path,
        p.tries, p.at, p.counted, p.original_url, p.original_at, c.file, c.start, c.length
    FROM page AS p JOIN capture AS c ON c.id = p.capture ORDER BY p.id
"""
_HOSTS = """
    SELECT h.id, h.name, count(p.id), coalesce(sum(p.size), 0),
        coalesce(sum(p.outcome IN ('transient-error', 'permanent-error', 'blocked', 'auth-lost')), 0)
    FROM host AS h LEFT JOIN page AS p ON p.host = h.id GROUP BY h.id ORDER BY h.id
"""


def write_result(
    place: CrawlFolder, staging: Staging, warcs: Sequence[Placed], report: Mapping[str, Any], at: datetime, told: Told
) -> None:
    """Result and manifest; memory does not grow with the archive."""
    results = results_of(place)
    with ResultWriter(results.result, counted=lambda count: told("writing the result", count, 0)) as writer:
        writer.warcs(ResultWarc(file=warc.name, size=warc.size, sha256=warc.sha256) for warc in warcs)
        writer.hosts(
            ResultHost(id=number, name=name, pages=pages, bytes=size, errors=errors)
            for number, name, pages, size, errors in staging.stream(_HOSTS)
        )
        writer.resources(map(_resource, staging.stream(_PAGES)))
        writer.earlier(staging.earlier())
        writer.links(staging.stream("SELECT page, body FROM outlinks ORDER BY page"))  # packed as a result does
        writer.texts(staging.stream("SELECT digest, extractor, body FROM content ORDER BY digest, extractor"))
        writer.counters(_numbers(staging))
        writer.arrange()
        told("checking the result", 0, 0)
        head = Head(
            number=1,
            sealed=at.isoformat(timespec="seconds"),
            software=f"Opilio/{__version__}",
            plan=to_json(staging.plan),
            report=report,
        )
        writer.finish(head)
    digests = {f"{place.warcs.name}/{warc.name}": warc.sha256 for warc in warcs}
    name = f"{results.result.parent.name}/{results.result.name}"
    write_manifest(results.manifest, {name: sha256_of(results.result), **digests})


def write_capture_index(place: CrawlFolder, staging: Staging) -> int:
    """The index of all captures, also those that are not the newest; how many."""
    return write_cdxj(place.index, map(_row, staging.captures()))


def _row(capture: CaptureRow) -> CdxRow:
    revisit = capture.kind == "revisit"
    return CdxRow(
        url=capture.raw,
        at=datetime.fromtimestamp(capture.at, UTC),
        mime=capture.mime,
        status=capture.status,
        digest=parse_digest(capture.digest) if capture.digest else None,
        file=capture.file,
        offset=capture.start,
        length=capture.length,
        revisit=revisit,
        original_url=capture.original_url if revisit else "",
        original_at=datetime.fromtimestamp(capture.original_at, UTC) if capture.original_at and revisit else None,
    )


def _resource(row: Sequence[Any]) -> Resource:
    (
        number, host, hash64, url, seed, outcome, reason, status, kind, extension, size, digest, title, language, meta,
        modified, etag, depth, hops, parent_host, parent_hash, path, tries, at, counted, original_url, original_at,
        file, start, length,
    ) = row  # fmt: skip
    return Resource(
        id=number, key=(host, hash64), url=url, seed=seed, outcome=outcome, reason=reason, status=status, type=kind,
        extension=extension, size=size, digest=digest, title=title, language=language, meta=meta,
        last_modified=modified, etag=etag, depth=depth, hops=hops,
        parent=(parent_host, parent_hash) if parent_hash is not None else None, path=path,
        place=Position(file=file, offset=start, length=length), tries=tries, at=at, counted=bool(counted),
        original_url=original_url or "", original_at=original_at,
    )  # fmt: skip


def _numbers(staging: Staging) -> dict[str, int]:
    counts = staging.counts(0.0)
    groups = (("outcome", counts.outcomes), ("status", counts.statuses), ("type", counts.types), ("seed", counts.seeds))
    named = _named(groups)
    return {"pages": counts.pages, "counted": counts.counted, "bytes": counts.bytes, "waiting": 0, **dict(named)}


def _named(groups: Sequence[tuple[str, Mapping[Any, int]]]) -> Iterator[tuple[str, int]]:
    return itertools.chain.from_iterable(
        ((f"{group}/{name}", count) for name, count in values.items()) for group, values in groups
    )

"""The demo's archive: the crawl checked record by record, and replayed by a server of its own."""

import contextlib
import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opilio.archive.verify.places import places
from opilio.archive.verify.verifying import verify
from opilio.server.errors import DemoFailed

_PATIENCE = 60  # seconds for one answer
_REMEDY = "The lines above may say why; run it again with `opilio --debug demo`."


@dataclass(frozen=True, kw_only=True)
class Replayed:
    """A running replay."""

    address: str  # the list of results, with its key
    port: int
    host: str  # of the result
    token: str  # of a session

    def check(self, urls: list[str]) -> list[str]:
        """Open each URL as a reader would; `DemoFailed` names the first that is not shown."""
        return [self._opened(url) for url in urls]

    def _opened(self, url: str) -> str:
        place = f"/2/{url}"
        for _ in range(5):
            answer = self._ask(place)
            if answer.status not in (301, 302, 303, 307, 308):
                break
            place = str(answer.getheader("location"))
        if answer.status != 200:
            raise DemoFailed(f"Replay answered {answer.status}", where=url, remedy=_REMEDY)
        return f"http://{self.host}:{self.port}{place}"

    def _ask(self, place: str) -> http.client.HTTPResponse:
        headers = {"Host": f"{self.host}:{self.port}", "Authorization": f"Bearer {self.token}"}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=_PATIENCE)
        try:
            connection.request("GET", place, headers=headers)
            answer = connection.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise DemoFailed(f"Replay does not answer: {error}", where=place, remedy=_REMEDY) from error
        finally:
            connection.close()
        return answer


def verified(folder: Path) -> int:
    """Check the crawl's archive; how many records it has."""
    found = verify(places([folder]))
    if not found.whole:
        first = found.faults[0]
        raise DemoFailed(first.sentence, where=f"{first.file}, byte {first.offset}", remedy=first.remedy)
    return found.records


@contextlib.contextmanager
def replaying(folder: Path) -> Iterator[Replayed]:
    """Replay a crawl in a process that ends with this one."""
    command = [sys.executable, "-m", "opilio", "replay", str(folder), "--no-open", "--with-parent", "--json"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True) as process:
        try:
            yield _told(process)
        finally:
            process.terminate()


def _told(process: "subprocess.Popen[bytes]") -> Replayed:
    """What replay says once it answers: one JSON document, over some lines."""
    assert process.stdout is not None  # noqa: S101 - asked for above
    text = b""
    for line in process.stdout:
        text += line
        with contextlib.suppress(ValueError):  # not whole yet
            document: dict[str, Any] = json.loads(text)
            (result,) = document["results"]
            return Replayed(
                address=document["address"], port=document["port"], host=result["host"], token=result["token"]
            )
    raise DemoFailed("Replay ended before it answered", where=" ".join(process.args), remedy=_REMEDY)  # type: ignore[arg-type]  # a list of texts

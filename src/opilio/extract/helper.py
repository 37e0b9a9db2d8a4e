"""The helper process: reads one resource after the other from standard input and answers on standard output.

Started by `pool` as `python -m opilio.extract.helper MEGABYTES`; never by hand. It limits its own memory once and its
CPU time anew for every resource; the process that started it watches the clock and kills it.
"""

import contextlib
import io
import resource as limits
import sys
from collections.abc import Mapping
from typing import BinaryIO

from opilio.extract.codec import HEADER_BYTES, READY, answer, frame, lengths, resource_of
from opilio.extract.document import Document
from opilio.extract.extracted import Extracted
from opilio.extract.office import read_office
from opilio.extract.options import Options
from opilio.extract.page_types import PageType
from opilio.extract.pdf import read_pdf
from opilio.extract.reading import DocumentReader, Resource, read_here, unparsable


def serve(incoming: BinaryIO, outgoing: BinaryIO) -> None:
    """Answer until standard input ends."""
    outgoing.write(READY)
    outgoing.flush()
    while len(header := incoming.read(HEADER_BYTES)) == HEADER_BYTES:
        head_length, body_length = lengths(header)
        resource, cpu_seconds = resource_of(incoming.read(head_length), incoming.read(body_length))
        limit_cpu(cpu_seconds)
        outgoing.write(frame(answer(_read(resource))))
        outgoing.flush()


def limit_memory(megabytes: int) -> None:
    """No more address space than this for the process."""
    limits.setrlimit(limits.RLIMIT_AS, (megabytes * 1024 * 1024,) * 2)
    limits.setrlimit(limits.RLIMIT_CORE, (0, 0))


def limit_cpu(seconds: int) -> None:
    """No more CPU time than this from now on; the kernel ends the process with SIGXCPU."""
    usage = limits.getrusage(limits.RUSAGE_SELF)
    _, hard = limits.getrlimit(limits.RLIMIT_CPU)
    limits.setrlimit(limits.RLIMIT_CPU, (int(usage.ru_utime + usage.ru_stime) + 1 + seconds, hard))


def _read(resource: Resource) -> Extracted:
    try:
        return read_here(resource, _DOCUMENTS)
    except MemoryError:
        return unparsable(resource, "it needs more memory than a helper process may use")
    except RecursionError:
        return unparsable(resource, "it is nested too deeply")
    except Exception as error:  # noqa: BLE001 - the worker loop: whatever a hostile file provokes is its outcome
        return unparsable(resource, f"it cannot be read ({type(error).__name__})")


def _pdf(body: bytes, _extension: str, options: Options) -> Document:
    with contextlib.redirect_stderr(io.StringIO()):
        return read_pdf(body, options)


_DOCUMENTS: Mapping[PageType, DocumentReader] = {PageType.PDF: _pdf, PageType.OFFICE: read_office}


if __name__ == "__main__":
    limit_memory(int(sys.argv[1]))
    with contextlib.suppress(BrokenPipeError):
        serve(sys.stdin.buffer, sys.stdout.buffer)

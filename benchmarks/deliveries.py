"""Deliveries beside the programs that people use by hand: validating, listing and fetching, in one run.

OPILIO_TEST_BENCH_DELIVERIES divides the sizes.
"""

import contextlib
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.machine import line
from opilio.deliveries.connections import Connections
from opilio.deliveries.profile import profile
from opilio.deliveries.pull import Pull, Wanted
from opilio.deliveries.source import Source, SourceProtocol
from opilio.deliveries.sources.opened import opened
from opilio.deliveries.validating import Task, validated
from tests.servers import nginx, sshd, vsftpd
from tests.servers.ftpd import PASSWORD, USER, Ftpd

DIVISOR = int(os.environ.get("OPILIO_TEST_BENCH_DELIVERIES", "1"))
MEGABYTES, FILES, FETCHED = 100 // DIVISOR, 10_000 // DIVISOR, 200 // DIVISOR
_EXPERIMENT = """  <experiment experimentID="E{number}" dateOfExperiment="2024-02-28">
    <specimenID>M{number}</specimenID>
    <procedure procedureID="P1">
{parameters}
    </procedure>
  </experiment>
"""
_PARAMETER = '      <simpleParameter parameterID="P1_{number}" unit="g"><value>{number}.5</value></simpleParameter>'
_PEAK = """
import resource
used = resource.getrusage(resource.RUSAGE_SELF)
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(used.ru_utime + used.ru_stime, int(peak) / 1024)
"""
_PLAIN = (
    """
import sys
from lxml import etree
schema = etree.XMLSchema(etree.parse(sys.argv[1]))
for _, element in etree.iterparse(sys.argv[2], schema=schema):
    element.clear()
    while element.getprevious() is not None:
        del element.getparent()[0]
"""
    + _PEAK
)
_OURS = (
    """
import sys
from pathlib import Path
from opilio.deliveries.schemas import Schema
Schema(Path(sys.argv[1])).faults(Path(sys.argv[2]))
"""
    + _PEAK
)


def main() -> None:
    """Measure all of it."""
    print(f"\n{line()}\n")
    with tempfile.TemporaryDirectory(prefix="opilio-bench-") as name:
        folder = Path(name)
        for above in (folder, folder.parent):
            with contextlib.suppress(PermissionError):
                above.chmod(0o755)
        _validating(folder)
        _validators(folder)
        _listing(folder)
        _fetching(folder)


def _validating(folder: Path) -> None:
    rules = profile("impc")
    schema = rules.schema_of(next(kind for kind in rules.documents if kind.name == "experiment"))
    good, bad = folder / "good.xml", folder / "bad.xml"
    _document(good, MEGABYTES << 20)
    with good.open() as whole, bad.open("w") as other:
        for number, text in enumerate(whole):
            other.write(text.replace("2024-02-28", "2024-02-30") if number < 500 else text)
    print(f"| validating {MEGABYTES} MB | CPU s | peak MB | against lxml |\n|---|---|---|---|")
    plain = _used([sys.executable, "-c", _PLAIN, str(schema), str(good)])
    ours = _used([sys.executable, "-c", _OURS, str(schema), str(good)])
    faulty = _used([sys.executable, "-c", _OURS, str(schema), str(bad)])
    for label, (seconds, memory) in (("lxml, valid", plain), ("ours, valid", ours), ("ours, some faults", faulty)):
        print(f"| {label} | {seconds:.2f} | {memory:.0f} | {seconds / plain[0]:.2f} |", flush=True)


def _validators(folder: Path) -> None:
    """One process against two: CPU for each document must stay the same; the wall shows what the machine has free."""
    rules = profile("impc")
    schema = rules.schema_of(next(kind for kind in rules.documents if kind.name == "experiment"))
    tasks = []
    for number in range(8):
        _document(folder / f"{number}.xml", (MEGABYTES << 20) // 10)
        tasks.append(Task(number=number, path=folder / f"{number}.xml", schema=schema))
    print(
        f"\n| validating 8 × {MEGABYTES // 10} MB | wall s | CPU s of a document | CPU against one |\n|---|---|---|---|"
    )
    alone = 0.0
    for processes in (1, 2):
        begun, before = time.perf_counter(), _children()
        if any(one.faults for one in validated(tasks, processes=processes)):
            raise SystemExit("A valid document was found not to be.")
        wall, each = time.perf_counter() - begun, (_children() - before) / len(tasks)
        alone = alone or each
        print(f"| {processes} | {wall:.2f} | {each:.2f} | {each / alone:.2f} |", flush=True)


def _children() -> float:
    """CPU seconds of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _document(path: Path, size: int) -> None:
    parameters = "\n".join(_PARAMETER.format(number=number) for number in range(20))
    with path.open("w") as stream:
        stream.write('<centreProcedureSet><centre centreID="J" pipeline="P" project="X">\n')
        number = 0
        while stream.tell() < size:
            number += 1
            stream.write(_EXPERIMENT.format(number=number, parameters=parameters))
        stream.write("</centre></centreProcedureSet>\n")


def _used(command: list[str]) -> tuple[float, float]:
    """CPU seconds and peak megabytes of a program, as it tells them at its end."""
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(told[0]), float(told[1])


@contextlib.contextmanager
def _servers(folder: Path, root: Path) -> Iterator[list[tuple[str, Source, str]]]:
    """Servers over a folder: label, source, and the address for lftp."""
    plain = {"name": "bench", "host": "127.0.0.1"}
    with contextlib.ExitStack() as stack:
        found: list[tuple[str, Source, str]] = []
        if sshd.is_installed():
            ssh = stack.enter_context(sshd.Sshd(folder / "sshd"))
            key = folder / "key"
            key.write_text(ssh.private_key)
            key.chmod(0o600)
            options = (
                f"ssh -a -x -i {key} -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR"
            )
            source = Source(**plain, protocol=SourceProtocol.SFTP, port=ssh.port, user=ssh.user, base=str(root),
                            private_key=ssh.private_key, host_keys=(ssh.host_key,))  # fmt: skip
            settings = (
                f'set sftp:connect-program "{options}"; open -u {ssh.user},x -p {ssh.port} sftp://127.0.0.1{root}'
            )
            found.append(("sshd", source, settings))
        ftp = stack.enter_context(Ftpd(folder / "ftpd", root))
        source = Source(**plain, protocol=SourceProtocol.FTP, port=ftp.port, user=USER, password=PASSWORD)
        found.append(("pyftpdlib", source, f"open -u {USER},'{PASSWORD}' -p {ftp.port} ftp://127.0.0.1"))
        if vsftpd.is_installed():
            other = stack.enter_context(vsftpd.Vsftpd(folder / "vsftpd", root))
            source = Source(**plain, protocol=SourceProtocol.FTP, port=other.port)
            found.append(("vsftpd", source, f"open -p {other.port} ftp://127.0.0.1"))
        if nginx.is_installed():
            web = stack.enter_context(nginx.Nginx(folder / "nginx", root, lists="html"))
            authority = web.ca_file.read_text()
            source = Source(**plain, protocol=SourceProtocol.HTTPS, port=web.port, authority=authority)
            found.append(("nginx", source, f"set ssl:ca-file {web.ca_file}; open https://127.0.0.1:{web.port}"))
        yield found


def _listing(folder: Path) -> None:
    root = folder / "listed"
    (root / "add").mkdir(parents=True)
    for number in range(FILES):
        (root / "add" / f"J.2024-01-01.{number}.impc.zip").write_bytes(b"")
    print(f"\n| listing {FILES:,} files | ours s | lftp s | ours ÷ lftp |\n|---|---|---|---|")
    with _servers(folder / "servers", root) as servers:
        for label, source, settings in servers:
            ours = min(_ours_listed(source) for _ in range(3))
            theirs = min(_lftp_listed(settings) for _ in range(3)) if shutil.which("lftp") else float("nan")
            print(f"| {label} | {ours:.2f} | {theirs:.2f} | {ours / theirs:.2f} |", flush=True)


def _ours_listed(source: Source) -> float:
    begun = time.perf_counter()
    with opened(source) as connection:
        count = sum(1 for _ in connection.entries("add"))
    if count != FILES:
        raise SystemExit(f"{count} files were listed on {source.where}")
    return time.perf_counter() - begun


def _lftp_listed(settings: str) -> float:
    begun = time.perf_counter()
    done = subprocess.run(["lftp", "-c", f"{settings}; cls -1 add"], capture_output=True, text=True, check=False)
    count = len(done.stdout.splitlines())
    if count != FILES:
        raise SystemExit(f"lftp listed {count} files: {done.stderr[-300:]}")
    return time.perf_counter() - begun


def _fetching(folder: Path) -> None:
    root = folder / "fetched"
    (root / "add").mkdir(parents=True)
    for number in range(FETCHED):
        (root / "add" / f"{number}.zip").write_bytes(os.urandom(1 << 20))
    with _servers(folder / "more-servers", root) as servers:
        wanted = [one for one in servers if one[0] == "sshd"]
        for _, source, _ in wanted:
            theirs = min(_sftp_fetched(folder, source, root) for _ in range(3))
            ours = min(_ours_fetched(folder, source) for _ in range(3))
            print(f"\n| {FETCHED} files of 1 MB by SFTP | s | MB/s | against sftp |\n|---|---|---|---|")
            for label, seconds in (("OpenSSH sftp", theirs), ("ours", ours)):
                print(f"| {label} | {seconds:.2f} | {FETCHED / seconds:.0f} | {theirs / seconds:.2f} |", flush=True)


def _sftp_fetched(folder: Path, source: Source, root: Path) -> float:
    into = Path(tempfile.mkdtemp(dir=folder))
    batch = folder / "batch"
    batch.write_text(f"lcd {into}\nget {root}/add/*\n")
    key = folder / "more-servers" / "key"
    options = ["-i", str(key), "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-q"]
    begun = time.perf_counter()
    command = ["sftp", *options, "-P", str(source.at_port), "-b", str(batch), f"{source.user}@127.0.0.1"]
    subprocess.run(command, check=True, capture_output=True)
    seconds = time.perf_counter() - begun
    shutil.rmtree(into)
    return seconds


def _ours_fetched(folder: Path, source: Source) -> float:
    """As a session does: downloaders that share the connections which a source allows, each file whole on the disk."""
    into = Path(tempfile.mkdtemp(dir=folder))
    connections = Connections([source], opened)

    def fetched(number: int) -> None:
        wanted = Wanted(source=source.name, path=f"add/{number}.zip", largest=1 << 30)
        (into / str(number)).mkdir()
        with connections.borrowed(source) as connection:
            Pull(connection).pull(wanted, into / str(number) / "delivery.zip")

    begun = time.perf_counter()
    with ThreadPoolExecutor(source.connections) as pool:
        list(pool.map(fetched, range(FETCHED)))
    seconds = time.perf_counter() - begun
    connections.close()
    shutil.rmtree(into)
    return seconds

"""What came of verifying: faults, and how much was looked at."""

from collections import Counter
from dataclasses import dataclass, field

from opilio.archive.verify.faults import KINDS, Code, Fault, Severity

MOST_FAULTS = 10_000  # that are kept; all are counted


@dataclass(kw_only=True, slots=True)
class Findings:
    """Grows while files are verified; at the end faults are in the order of files and offsets."""

    faults: list[Fault] = field(default_factory=list)
    counts: Counter[Code] = field(default_factory=Counter)
    files: int = 0
    records: int = 0
    bytes: int = 0
    lines: int = 0  # of indexes
    bags: int = 0
    bag_files: int = 0  # files of bags that were read

    def take(self, fault: Fault) -> None:
        """One more fault."""
        self.counts[fault.code] += 1
        self._keep(fault)

    def merge(self, other: "Findings") -> None:
        """Those of another part of the files."""
        self.counts += other.counts
        self.records += other.records
        for fault in other.faults:
            self._keep(fault)

    def count(self, severity: Severity) -> int:
        """How many faults are so bad."""
        return sum(number for code, number in self.counts.items() if KINDS[code].severity is severity)

    @property
    def whole(self) -> bool:
        """Whether no error was found."""
        return self.count(Severity.ERROR) == 0

    def _keep(self, fault: Fault) -> None:
        """Of very many the first are kept, errors rather than warnings."""
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(fault)
        elif fault.severity is Severity.ERROR and self.faults[-1].severity is Severity.WARNING:
            self.faults[-1] = fault

"""How the machine of an agent is: free memory, disk and processor; and the pure decision whether it may take more."""

import math
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

_MEMINFO = Path("/proc/meminfo")


@dataclass(frozen=True, kw_only=True)
class Health:
    """What was measured."""

    memory_free: float  # MB that processes may still use; infinite where that cannot be told
    disk_free: float  # percent of the home folder's disk
    load: float  # runnable processes per processor, over a minute


@dataclass(frozen=True, kw_only=True)
class Thresholds:
    """Below, or above, which a machine takes no further harvest; 0 switches one off."""

    memory_free: float = 256.0  # MB
    disk_free: float = 10.0  # percent
    load: float = 8.0


def measured(home: Path) -> Health:
    """Look at this machine."""
    existing = next((folder for folder in (home, *home.parents) if folder.exists()), Path("/"))
    disk = os.statvfs(existing)
    free = 100.0 * disk.f_bavail / max(disk.f_blocks, 1)
    return Health(memory_free=_memory(), disk_free=free, load=os.getloadavg()[0] / (os.cpu_count() or 1))


def told(health: Health, limits: Thresholds) -> Mapping[str, float | str]:
    """What a heartbeat tells of the machine: the measures that there are, and why it takes nothing, if so."""
    found: dict[str, float | str] = {
        name: round(number, 2) for name, number in asdict(health).items() if math.isfinite(number)
    }
    reason = unwell(health, limits)
    return {**found, "unwell": reason} if reason else found


def unwell(health: Health, limits: Thresholds) -> str:
    """Why no further harvest should begin here; empty: one may."""
    if limits.disk_free and health.disk_free < limits.disk_free:
        return f"only {health.disk_free:.1f} % of its disk is free, less than {limits.disk_free:g} %"
    if limits.memory_free and health.memory_free < limits.memory_free:
        return f"only {health.memory_free:.0f} MB of memory are free, less than {limits.memory_free:g} MB"
    if limits.load and health.load > limits.load:
        return f"{health.load:.1f} processes wait for each processor, more than {limits.load:g}"
    return ""


def _memory() -> float:
    """MB, as Linux tells it."""
    try:
        lines = _MEMINFO.read_text().splitlines()
    except OSError:
        return float("inf")
    return next((float(line.split()[1]) / 1024 for line in lines if line.startswith("MemAvailable:")), float("inf"))

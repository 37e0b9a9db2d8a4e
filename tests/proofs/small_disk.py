"""A file system in memory that is full soon, for proofs about full disks."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class SmallDisk:
    """A file system in memory."""

    path: Path

    def make(self, size: int):
        """Make it with so many bytes."""
        self.path.mkdir()
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(self.path)], capture_output=True, check=False
        )
        if done.returncode:
            pytest.skip(f"needs the right to mount a small disk: {done.stderr.decode(errors='replace').strip()}")

    def grow(self):
        """Make space."""
        subprocess.run(["mount", "-o", "remount,size=1g", str(self.path)], check=True)

    def remove(self):
        """Unmount it; what it held is gone."""
        if os.path.ismount(self.path):
            subprocess.run(["umount", str(self.path)], check=True)

"""The errors of generations.

InvalidInput
└── BadGenerationId     a text that cannot name a generation
Missing
└── NoGeneration        there is no such generation
Conflict
└── GenerationInUse     somebody serves, copies or reads it
Damaged
├── BrokenManifest      a manifest that cannot be read, or is not what was written
├── DamagedGeneration   files that are not what the manifest says
└── WrongAnswers        an index that counts or finds something else than when it was built
"""

from collections.abc import Sequence

from opilio.kernel.errors import Conflict, Damaged, InvalidInput, Missing


class BadGenerationId(InvalidInput):
    """A text that cannot name a generation."""


class NoGeneration(Missing):
    """There is no such generation."""


class GenerationInUse(Conflict):
    """Somebody serves, copies or reads the generation."""


class BrokenManifest(Damaged):
    """The manifest of a generation cannot be read, or is not what was written."""


class DamagedGeneration(Damaged):
    """Files of a generation are not what its manifest says."""

    faults: Sequence[str] = ()  # each in words


class WrongAnswers(Damaged):
    """The index of a generation counts or finds something else than when it was built."""

    faults: Sequence[str] = ()  # each in words

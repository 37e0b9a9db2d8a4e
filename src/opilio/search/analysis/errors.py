"""The errors of analysis.

InvalidInput
├── BadWordList           a line of a user's stop list or synonyms cannot be used
└── BadAnalysisSettings   the settings of an analyzer cannot be read
"""

from opilio.kernel.errors import InvalidInput


class BadWordList(InvalidInput):
    """A line of a stop list or of synonyms cannot be used."""


class BadAnalysisSettings(InvalidInput):
    """The settings of an analyzer cannot be read."""

"""The errors of the seed views.

InvalidInput
├── NotViews       a file that holds no views
├── BadPage        a page or link that cannot be told to the views
├── BadWord        something that is not one word
└── UnknownTable   a table that the seed does not have
Missing
├── NoViews        there are no views in that place
├── NoSuchPage     a page that the views do not know
└── NoSuchWord     a word that no page has
Conflict
└── NewerViews     the views were written by another Opilio
Damaged
└── DamagedViews   the views do not hold what they should
"""

from opilio.kernel.errors import Conflict, Damaged, InvalidInput, Missing


class NotViews(InvalidInput):
    """A file that holds no views."""


class BadPage(InvalidInput):
    """A page or link that cannot be told to the views."""


class BadWord(InvalidInput):
    """Something that is not one word."""


class UnknownTable(InvalidInput):
    """A table that the seed does not have."""


class NoViews(Missing):
    """There are no views in that place."""


class NoSuchPage(Missing):
    """A page that the views do not know."""


class NoSuchWord(Missing):
    """A word that no page has."""


class NewerViews(Conflict):
    """The views were written by another Opilio."""


class DamagedViews(Damaged):
    """The views do not hold what they should."""

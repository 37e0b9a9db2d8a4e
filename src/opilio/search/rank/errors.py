"""The errors of link rank.

InvalidInput
└── BadLinks   links that do not fit their pages
"""

from opilio.kernel.errors import InvalidInput


class BadLinks(InvalidInput):
    """Links that do not fit their pages."""

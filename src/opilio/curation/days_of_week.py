"""The days of the week as forms and commands name them."""

from opilio.curation.models import Day

DAYS: tuple[tuple[int, str], ...] = tuple((day.value, str(day.label)) for day in Day)
BY_NAME = {label.lower(): value for value, label in DAYS}

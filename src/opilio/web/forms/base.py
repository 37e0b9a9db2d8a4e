"""The base of all forms: groups of fields, errors beside fields and on top, values kept, versions compared."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from django import forms
from django.forms import BoundField
from django.forms.utils import ErrorList
from django.http import HttpRequest

from opilio.kernel.errors import OpilioError
from opilio.people.errors import InvalidFields, WeakPassword
from opilio.web.forms.fields import garbled

Groups = tuple[tuple[str, tuple[str, ...]], ...]  # legend and names of fields


class PageForm(forms.Form):
    """A form of a page."""

    groups: ClassVar[Groups] = ()
    password_field: ClassVar[str] = ""  # where a word about the password belongs

    def __init__(self, request: HttpRequest, *, initial: Mapping[str, Any] | None = None) -> None:
        posted = request.method == "POST"
        super().__init__(request.POST if posted else None, initial=dict(initial or {}), label_suffix="")
        self.status = 200

    def sections(self) -> Iterator[tuple[str, list[BoundField]]]:
        """The visible fields by group."""
        grouped = self.groups or (("", tuple(field.name for field in self.visible_fields())),)
        for legend, names in grouped:
            fields = [self[name] for name in names if name in self.fields]
            if fields:
                yield legend, fields

    def faulty(self) -> list[tuple[BoundField, str]]:
        """Each field with a fault, and the first word about it, for the summary on top."""
        return [(self[name], str(errors[0])) for name, errors in self.errors.items() if name in self.fields]

    def general_errors(self) -> ErrorList:
        """Faults that belong to no field."""
        return self.non_field_errors()

    def clean(self) -> dict[str, Any]:
        """Refuse text that was garbled on its way."""
        for name, value in list(self.cleaned_data.items()):
            if garbled(value):
                self.add_error(name, "This holds bytes that are no UTF-8 text; type it again.")
        return self.cleaned_data

    def take(self, error: OpilioError) -> None:
        """Tell in the form what the action refused."""
        self.status = error.http_status
        if isinstance(error, InvalidFields):
            for name, texts in error.messages.items():
                self.add_error(name if name in self.fields else None, list(texts))
        elif isinstance(error, WeakPassword) and self.password_field:
            self.add_error(self.password_field, str(error))
        else:
            self.add_error(None, str(error))


class VersionedForm(PageForm):
    """A form that changes a row: it remembers which version it shows."""

    version = forms.IntegerField(widget=forms.HiddenInput, min_value=1)

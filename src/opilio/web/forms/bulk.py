"""Forms of bulk work: the arguments of a verb, and a table to be imported."""

from typing import Any

from django import forms
from django.http import HttpRequest

from opilio.curation.bulk.arguments import Argument, Control
from opilio.curation.bulk.tables.raw import LARGEST
from opilio.curation.bulk.tables.reading import FORMATS
from opilio.people.actor import Actor
from opilio.web.forms.base import PageForm

_MOST_LISTED = 500  # options; beyond, a name is typed


class ArgumentsForm(PageForm):
    """What a verb wants to be told; the texts are checked by bulk work itself."""

    def __init__(
        self, request: HttpRequest, arguments: tuple[Argument, ...], actor: Actor, told: dict[str, str]
    ) -> None:
        super().__init__(request, initial=told)
        for argument in arguments:
            self.fields[argument.name] = _field(argument, actor)

    def texts(self) -> dict[str, str]:
        """The texts that were given."""
        return {name: str(value) for name, value in self.cleaned_data.items() if str(value or "").strip()}


class ImportForm(PageForm):
    """A table, and whether it may change what is there."""

    file = forms.FileField(label="Table", help_text="A .csv or .json file, in UTF-8 or UTF-16.")
    update = forms.BooleanField(
        label="Change rows that are there already", required=False,
        help_text="Without it, a row that is there with other values is refused.",
    )  # fmt: skip

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request)
        self.files = request.FILES
        self.fields["file"].widget.attrs["accept"] = ",".join(f".{form}" for form in FORMATS)

    def clean_file(self) -> Any:
        """A file that is not too large to be read."""
        found = self.cleaned_data["file"]
        if found.size is not None and found.size > LARGEST:
            raise forms.ValidationError(f"The file has {found.size:,} bytes; {LARGEST:,} are read. Split it.")
        return found


def _field(argument: Argument, actor: Actor) -> forms.Field:
    words: dict[str, Any] = {"label": argument.label, "help_text": argument.help, "required": argument.required}
    if argument.control == Control.PARAGRAPH:
        return forms.CharField(widget=forms.Textarea(attrs={"rows": 3}), max_length=4_000, **words)
    if argument.control == Control.DAY:
        return forms.CharField(widget=forms.DateInput(attrs={"type": "date"}), **words)
    options = list(argument.options(actor)) if argument.control in (Control.CHOICE, Control.NAME) else []
    if options and len(options) < _MOST_LISTED:
        return forms.ChoiceField(choices=[("", "–"), *options], **words)
    return forms.CharField(max_length=255, **words)

"""Parameters of the installation: list, change, put back to the default."""

from typing import Annotated

from django.http import HttpResponse
from ninja import Path, Router
from pydantic import Field, StrictBool, StrictInt, StrictStr

from opilio.api.reach import need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body, Version
from opilio.api.versions import base_version, matched_version, tag
from opilio.people.actions import parameters as actions
from opilio.people.errors import InvalidFields, NotFound
from opilio.people.parameters import BY_NAME, PARAMETERS, Declared, InForce, in_force
from opilio.people.privileges import Privilege

router = Router(tags=["parameters"])
_Value = StrictBool | StrictInt | StrictStr
_ParameterName = Annotated[str, Field(max_length=64, examples=["rows_per_page"])]
_WORDS = {bool: "true or false", int: "a number", str: "a text"}
_WHAT = "change parameters"


class ParameterAnswer(Answer):
    """A parameter of the installation."""

    name: str
    label: str
    sentence: str
    value: _Value = Field(description="What it is now.")
    default: _Value
    version: int = Field(description="Grows with every change, also when it is put back to its default.")


class ParameterValue(Body):
    """What a parameter is to be, of the type of its default."""

    version: Version | None = Field(None, description="Version that you changed; or send If-Match.")
    value: _Value = Field(examples=[50])


@router.get("", response=list[ParameterAnswer])
def list_parameters(request: ApiRequest) -> list[ParameterAnswer]:
    """List all parameters with their values.

    Needs CONFIGURE_PARAMETERS.
    """
    need(request.auth, _WHAT, Privilege.CONFIGURE_PARAMETERS)
    now = in_force()
    return [_shown(declared, now[declared.name]) for declared in PARAMETERS]


@router.put("/{name}", response=ParameterAnswer)
def set_parameter(
    request: ApiRequest, response: HttpResponse, name: Path[_ParameterName], body: ParameterValue
) -> ParameterAnswer:
    """Change a parameter.

    Needs CONFIGURE_PARAMETERS.
    """
    need(request.auth, _WHAT, Privilege.CONFIGURE_PARAMETERS)
    declared = _known(name)
    wanted = type(declared.default)
    if type(body.value) is not wanted:
        raise InvalidFields({"value": [f"It must be {_WORDS[wanted]}."]}, where="body")
    version = base_version(request, body.version)
    actions.set_parameters(request.auth, texts={name: str(body.value)}, versions={name: version})
    now = in_force()[name]
    tag(response, now.version)
    return _shown(declared, now)


@router.delete("/{name}", response={204: None})
def reset_parameter(request: ApiRequest, name: Path[_ParameterName]) -> None:
    """Put a parameter back to its default; the value it had can be restored.

    Needs CONFIGURE_PARAMETERS.
    """
    need(request.auth, _WHAT, Privilege.CONFIGURE_PARAMETERS)
    actions.reset_parameter(request.auth, name=_known(name).name, version=matched_version(request))


def _known(name: str) -> Declared:
    declared = BY_NAME.get(name)
    if declared is None:
        raise NotFound(f"There is no parameter {name!r}", remedy=f"Known are {', '.join(BY_NAME)}.")
    return declared


def _shown(declared: Declared, now: InForce) -> ParameterAnswer:
    return ParameterAnswer(
        name=declared.name, label=declared.label, sentence=declared.sentence, value=now.value,
        default=declared.default, version=now.version,
    )  # fmt: skip

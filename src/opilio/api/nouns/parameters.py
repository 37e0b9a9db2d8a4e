"""Parameters of the installation: list, change, put back to the default."""

from typing import Annotated

from ninja import Path, Router
from pydantic import Field, StrictBool, StrictInt, StrictStr

from opilio.api.reach import delete, need
from opilio.api.requests import ApiRequest
from opilio.api.schemas import Answer, Body
from opilio.people.actions.lists import set_parameter as set_to
from opilio.people.errors import InvalidFields, NotFound
from opilio.people.kinds import PARAMETER
from opilio.people.parameters import BY_NAME, PARAMETERS, Declared, values
from opilio.people.privileges import Privilege
from opilio.people.queries.records import parameter_rows

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


class ParameterValue(Body):
    """What a parameter is to be, of the type of its default."""

    value: _Value = Field(examples=[50])


@router.get("", response=list[ParameterAnswer])
def list_parameters(request: ApiRequest) -> list[ParameterAnswer]:
    """List all parameters with their values.

    Needs CONFIGURE_PARAMETERS.
    """
    need(request.auth, _WHAT, Privilege.CONFIGURE_PARAMETERS)
    now = values()
    return [_shown(declared, now[declared.name]) for declared in PARAMETERS]


@router.put("/{name}", response=ParameterAnswer)
def set_parameter(request: ApiRequest, name: Path[_ParameterName], body: ParameterValue) -> ParameterAnswer:
    """Change a parameter.

    Needs CONFIGURE_PARAMETERS.
    """
    need(request.auth, _WHAT, Privilege.CONFIGURE_PARAMETERS)
    declared = _known(name)
    wanted = type(declared.default)
    if type(body.value) is not wanted:
        raise InvalidFields({"value": [f"It must be {_WORDS[wanted]}."]}, where="body")
    set_to(request.auth, name=name, text=str(body.value))
    return _shown(declared, values()[name])


@router.delete("/{name}", response={204: None})
def reset_parameter(request: ApiRequest, name: Path[_ParameterName]) -> None:
    """Put a parameter back to its default; the value it had can be restored.

    Needs CONFIGURE_PARAMETERS.
    """
    need(request.auth, _WHAT, Privilege.CONFIGURE_PARAMETERS)
    row = parameter_rows(request.auth).filter(name=_known(name).name).first()
    if row is not None:
        delete(request.auth, PARAMETER, row.id, None)


def _known(name: str) -> Declared:
    declared = BY_NAME.get(name)
    if declared is None:
        raise NotFound(f"There is no parameter {name!r}", remedy=f"Known are {', '.join(BY_NAME)}.")
    return declared


def _shown(declared: Declared, value: str | int | bool) -> ParameterAnswer:
    return ParameterAnswer(
        name=declared.name, label=declared.label, sentence=declared.sentence, value=value, default=declared.default
    )

"""Add WARC files that lie beside a harvest to one of its results; an agent makes the new one."""

from collections.abc import Sequence

from opilio.curation import result_jobs
from opilio.curation.models import Result
from opilio.curation.patching import checked_note, existing_of, require_derivable
from opilio.curation.result_locking import locked_result
from opilio.people.acting import Act, action
from opilio.people.privileges import Privilege
from opilio.works.result_change import WantedChange


@action("result.import", "Add files to a result.", privilege=Privilege.ENDORSE_HARVEST)
def import_files(
    act: Act, /, *, result_id: int, files: Sequence[str], note: str, existing: str = "replace",
    version: int | None = None,
) -> Result:  # fmt: skip
    """The new result; the files were laid below the folder of the harvest."""
    parent = locked_result(act, result_id, Privilege.ENDORSE_HARVEST, "add to", version=version)
    require_derivable(act, parent)
    change = WantedChange(add=tuple(files), existing=existing_of(existing, act.name))
    return result_jobs.begun(act, parent, change, checked_note(note, act.name))

"""Pin notes to rows, and reword them; every earlier wording is kept."""

from opilio.people.acting import Act, action
from opilio.people.errors import InvalidFields
from opilio.people.kinds import ANNOTATION, kind_named
from opilio.people.models import Annotation, AnnotationEdit


@action("annotation.add", "Pin a note to a row that one manages or owns.")
def add_annotation(act: Act, /, *, kind_name: str, row_id: int, note: str, alertable: bool = False) -> Annotation:
    """Its author and date stay, whatever happens to it later."""
    kind = kind_named(kind_name)
    row = act.fetch(kind, row_id)
    subject, what = kind.subject(row), f"annotate {kind.label.lower()} {row}"
    if kind.owner_may and subject.owner is not None and subject.owner == act.actor.user:
        act.require_that(True, what, "")
    else:
        act.require(kind.note_privilege, subject, what)
    act.require_that(act.actor.user is not None, "write annotations", "Sign in as a user: a note has an author.")
    if not kind.annotated:
        raise InvalidFields({"note": [f"Nothing can be pinned to {kind.plural.lower()}."]}, where=act.name)
    return act.insert(
        Annotation(
            author_id=act.actor.own, at=act.clock.now(), note=note.strip(), alertable=alertable,
            subject_type=kind.name, subject_id=row_id,
        )
    )  # fmt: skip


@action("annotation.edit", "Reword one's own annotation.")
def edit_annotation(act: Act, /, *, annotation_id: int, version: int, note: str, alertable: bool) -> Annotation:
    """Only the author may; the wording so far goes into its history."""
    row: Annotation = act.fetch(ANNOTATION, annotation_id)
    act.require_that(row.author_id == act.actor.user, "reword this annotation", "Only its author may; add your own.")
    before = AnnotationEdit(
        annotation=row,
        note=row.note,
        alertable=row.alertable,
        replaced_at=act.clock.now(),
        replaced_by_id=act.actor.user,
    )
    if act.update(row, {"note": note.strip(), "alertable": alertable}, version=version):
        before.save()
    return row

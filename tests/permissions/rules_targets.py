"""The table of who may do what with targets, seeds and nominations."""

from typing import Any

from opilio.curation.actions import (
    dublin_core,
    excluded_urls,
    nominations,
    rejection_reasons,
    seeds,
    target_moves,
    target_verification,
    targets,
)
from opilio.curation.models import Nomination, State
from opilio.people.privileges import Privilege
from tests.curation import Desk
from tests.permissions.table import AGENCY, ALL, OWNER, Place, Rule, agency_wide, open_to, owner_wide

EVERYWHERE = "own same other"


def _desk(place: Place) -> Desk:
    return Desk(place.town)


def _target(place: Place, **fields: Any) -> Any:
    return _desk(place).target(agency=place.agency, owner=place.user, **fields)


def _approvable(place: Place, **fields: Any) -> Any:
    return _desk(place).approvable(agency=place.agency, owner=place.user, **fields)


def _seed(place: Place) -> Any:
    return _desk(place).seed(_target(place))


def _linked(place: Place) -> dict[str, int]:
    desk = _desk(place)
    seed, permission = _seed(place), desk.permission("http://www.site.example/*", agency=place.agency)
    desk.link(seed, permission)
    return {"seed_id": seed.id, "permission_id": permission.id}


def _unlinked(place: Place) -> dict[str, int]:
    permission = _desk(place).permission("http://www.site.example/*", agency=place.agency)
    return {"seed_id": _seed(place).id, "permission_id": permission.id}


def _reason(place: Place) -> Any:
    return rejection_reasons.create_reason(place.town.system, agency_id=place.agency.id, name="Out of scope")


def _excluded(place: Place) -> Any:
    return excluded_urls.add_excluded_url(
        place.town.system, target_id=_target(place).pk, url="http://www.site.example/private"
    )


def _nomination(place: Place) -> Any:
    now = place.town.clock.now()
    row = Nomination(agency=place.agency, url="http://www.site.example/", created=now, updated=now)
    row.save()
    return row


def _receive(actor: Any, place: Place) -> Any:
    place.town.parameter("nominations_open", "on")
    return nominations.receive_nomination(actor, agency_id=place.agency.id, url="http://www.site.example/")


def _asked(place: Place) -> tuple[Any, target_verification.Asked]:
    target = _target(place)
    return target, target_verification.ask_verification(
        place.town.system, target_id=target.pk, email="owner@site.example"
    )


def _invited(place: Place) -> dict[str, int]:
    target, asked = _asked(place)
    return {"target_id": target.pk, "invitation_id": asked.invitation.id}


def _made(call: Any) -> Rule:
    """What is made belongs to whoever makes it: the scope owner reaches one's own agency."""
    reach = {ALL: EVERYWHERE, AGENCY: "own same", OWNER: "own same", None: ""}
    return Rule(privilege=Privilege.CREATE_TARGET, call=call, reach=reach)


def _modified(call: Any) -> Rule:
    return owner_wide(Privilege.MODIFY_TARGET, call)


RULES: dict[str, Rule] = {
    "target.create": _made(
        lambda actor, place: targets.create_target(actor, name="New", agency_id=place.agency.id)
    ),
    "target.copy": _made(lambda actor, place: targets.copy_target(actor, target_id=_target(place).pk)),
    "target.update": _modified(
        lambda actor, place: targets.update_target(actor, target_id=_target(place).pk, version=1, reference="1")
    ),
    "target.nominate": _modified(
        lambda actor, place: target_moves.nominate_target(actor, target_id=_target(place).pk)
    ),
    "target.approve": owner_wide(
        Privilege.APPROVE_TARGET,
        lambda actor, place: target_moves.approve_target(actor, target_id=_approvable(place).pk),
    ),
    "target.reject": owner_wide(
        Privilege.APPROVE_TARGET,
        lambda actor, place: target_moves.reject_target(
            actor, target_id=_target(place).pk, reason_id=_reason(place).id
        ),
    ),
    "target.cancel": owner_wide(
        Privilege.CANCEL_TARGET,
        lambda actor, place: target_moves.cancel_target(
            actor, target_id=_approvable(place, state=State.APPROVED).pk
        ),
    ),
    "target.reinstate": owner_wide(
        Privilege.REINSTATE_TARGET,
        lambda actor, place: target_moves.reinstate_target(
            actor, target_id=_target(place, state=State.CANCELLED).pk
        ),
    ),
    "seed.add": _modified(
        lambda actor, place: seeds.add_seed(actor, target_id=_target(place).pk, url="http://www.site.example/")
    ),
    "seed.update": _modified(
        lambda actor, place: seeds.update_seed(actor, seed_id=_seed(place).id, version=1, depth_limit=3)
    ),
    "seed.link": _modified(lambda actor, place: seeds.link_seed(actor, **_unlinked(place))),
    "seed.unlink": _modified(lambda actor, place: seeds.unlink_seed(actor, **_linked(place))),
    "seed.match": _modified(lambda actor, place: seeds.match_seed(actor, seed_id=_seed(place).id)),
    "seed.import": _modified(
        lambda actor, place: seeds.import_seeds(actor, target_id=_target(place).pk, text="http://a.example/")
    ),
    "excluded_url.add": _modified(
        lambda actor, place: excluded_urls.add_excluded_url(
            actor, target_id=_target(place).pk, url="http://www.site.example/private"
        )
    ),
    "excluded_url.update": _modified(
        lambda actor, place: excluded_urls.update_excluded_url(
            actor, excluded_id=_excluded(place).id, version=1, url="http://www.site.example/other"
        )
    ),
    "dublin_core.save": _modified(
        lambda actor, place: dublin_core.save_dublin_core(actor, row_id=_target(place).pk, version=0, title="Site")
    ),
    "rejection_reason.create": agency_wide(
        Privilege.MANAGE_REASONS,
        lambda actor, place: rejection_reasons.create_reason(actor, agency_id=place.agency.id, name="Empty"),
    ),
    "rejection_reason.update": agency_wide(
        Privilege.MANAGE_REASONS,
        lambda actor, place: rejection_reasons.update_reason(
            actor, reason_id=_reason(place).id, version=1, name="Off topic"
        ),
    ),
    "nomination.receive": open_to(_receive, EVERYWHERE),
    "nomination.accept": _made(
        lambda actor, place: nominations.accept_nomination(actor, nomination_id=_nomination(place).id)
    ),
    "nomination.decline": _made(
        lambda actor, place: nominations.decline_nomination(actor, nomination_id=_nomination(place).id)
    ),
    "verification.ask": _modified(
        lambda actor, place: target_verification.ask_verification(
            actor, target_id=_target(place).pk, email="owner@site.example"
        )
    ),
    "verification.answer": open_to(
        lambda actor, place: target_verification.answer_verification(
            actor, token=_asked(place)[1].path.rpartition("/")[2], right=True, corrections={}
        ),
        EVERYWHERE,
    ),
    "verification.revoke": _modified(
        lambda actor, place: target_verification.revoke_verification(actor, **_invited(place))
    ),
    "verification.take": _modified(
        lambda actor, place: target_verification.take_verification(actor, **_invited(place))
    ),
}  # fmt: skip

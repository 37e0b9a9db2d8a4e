"""The API with all its nouns, as the server mounts it below /api/v1/."""

from typing import Any

from django.urls import URLPattern, URLResolver, path, re_path
from ninja import NinjaAPI
from ninja.openapi.urls import get_openapi_urls, get_root_url
from ninja.operation import Operation
from ninja.types import DictStrAny
from ninja.utils import normalize_path, replace_path_param_notation

from opilio import __version__
from opilio.api import openapi
from opilio.api.auth import ApiToken, SignInSession
from opilio.api.bodies import StrictParser
from opilio.api.doors import door, nothing_here, only_get, operations_door
from opilio.api.handlers import HANDLERS
from opilio.api.nouns import (
    access,
    agencies,
    agents,
    annotations,
    assessments,
    audit,
    authorisations,
    authorising_agents,
    bandwidth,
    bulk,
    centres,
    changes,
    deleted,
    deliveries,
    delivery_findings,
    delivery_issues,
    delivery_sessions,
    delivery_sources,
    depositories,
    deposits,
    fixity,
    flags,
    group_parts,
    groups,
    harvest_live,
    harvest_orders,
    harvest_records,
    harvest_reports,
    harvest_review,
    harvests,
    imports,
    index,
    indicators,
    lists,
    me,
    nominations,
    notifications,
    overrides,
    ownership,
    parameters,
    permission_steps,
    permission_templates,
    profiles,
    publications,
    purge,
    reading_rooms,
    rejection_reasons,
    reports,
    result_look,
    result_missing,
    result_tools,
    result_tree,
    results,
    review_policies,
    roles,
    schedule_patterns,
    schedules,
    search,
    seeds,
    sessions,
    takedowns,
    target_parts,
    targets,
    tasks,
    tokens,
    users,
    views,
    wasapi,
    webhook_messages,
    webhooks,
)
from opilio.api.reference import ReferencePage

_DESCRIPTION = (
    "The same nouns and verbs as the pages, for programs. Identifiers are strings. Lists come in pages: follow `next`. "
    "Changes name the `version` they were made from. Every error has one shape."
)


class OpilioApi(NinjaAPI):
    """Django Ninja's API with our doors, our error shape and our document."""

    def get_openapi_schema(self, *, path_prefix: str | None = None, path_params: DictStrAny | None = None) -> Any:
        """The completed document; the address of the API stands in `servers`."""
        return openapi.complete(self)

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """The name of the handler, which is unique."""
        return operation.view_func.__name__

    def _get_urls(self) -> list[URLResolver | URLPattern]:
        pages = [path(str(one.pattern), door(only_get(one.callback)), name=one.name) for one in get_openapi_urls(self)]
        root: URLPattern = get_root_url(self)
        return [*pages, *self._operation_urls(), path("", door(nothing_here), name=root.name), _REST]

    def _operation_urls(self) -> list[URLPattern]:
        return [
            path(_route(router.prefix, below), operations_door(view), name=view.operations[0].view_func.__name__)
            for router in self._get_bound_routers()
            for below, view in router.path_operations.items()
        ]


_REST = re_path(r"^.*$", door(nothing_here))


def _route(prefix: str, below: str) -> str:
    return normalize_path(replace_path_param_notation(f"{prefix}/{below}")).strip("/")


def build() -> OpilioApi:
    """The API with its nouns."""
    made = OpilioApi(
        title="Opilio", version=__version__, description=_DESCRIPTION, docs=ReferencePage(), parser=StrictParser(),
        auth=[ApiToken(), SignInSession()], urls_namespace="api",
    )  # fmt: skip
    for error, handler in HANDLERS.items():
        made.add_exception_handler(error, handler)
    for prefix, router in _NOUNS:
        made.add_router(prefix, router)
    return made


_NOUNS = (
    ("/me", me.router),
    ("/agencies", agencies.router),
    ("/users", users.router),
    ("/roles", roles.router),
    ("/privileges", roles.privileges_router),
    ("/tokens", tokens.router),
    ("/sessions", sessions.router),
    ("/tasks", tasks.router),
    ("/notifications", notifications.router),
    ("/audit", audit.router),
    ("/lists", lists.router),
    ("/parameters", parameters.router),
    ("/annotations", annotations.router),
    ("/deleted", deleted.router),
    ("/views", views.router),
    ("/webhooks", webhooks.router),
    ("/webhooks", webhook_messages.router),
    ("/targets", targets.router),
    ("/targets", target_parts.router),
    ("/targets", changes.target_router),
    ("/seeds", seeds.router),
    ("/nominations", nominations.router),
    ("/rejection-reasons", rejection_reasons.router),
    ("/groups", groups.router),
    ("/groups", group_parts.router),
    ("/groups", changes.group_router),
    ("/owners", ownership.owners_router),
    ("/assignments", ownership.assignments_router),
    ("/authorisations", authorisations.router),
    ("/authorising-agents", authorising_agents.router),
    ("/permissions", permission_steps.router),
    ("/permission-templates", permission_templates.router),
    ("/profiles", profiles.router),
    ("/overrides", overrides.router),
    ("/schedules", schedules.router),
    ("/schedule-patterns", schedule_patterns.router),
    ("/harvests", harvests.router),
    ("/harvests", harvest_live.router),
    ("/harvests", changes.router),
    ("/harvests", harvest_orders.router),
    ("/harvests", harvest_records.router),
    ("/harvests", harvest_reports.router),
    ("/harvests", access.display_router),
    ("/harvests", harvest_review.router),
    ("/results", results.router),
    ("/results", result_missing.router),
    ("/results", result_tools.router),
    ("/results", result_tree.router),
    ("/results", result_look.router),
    ("/depositories", depositories.router),
    ("/deposits", deposits.router),
    ("/harvests", deposits.harvest_router),
    ("/centres", centres.router),
    ("/delivery-sources", delivery_sources.router),
    ("/deliveries", deliveries.router),
    ("/delivery-findings", delivery_findings.router),
    ("/finding-kinds", delivery_findings.kinds_router),
    ("/delivery-sessions", delivery_sessions.router),
    ("/delivery-issues", delivery_issues.router),
    ("/centres", delivery_issues.report_router),
    ("/flags", flags.router),
    ("/harvests", purge.router),
    ("/fixity", fixity.router),
    ("/takedowns", takedowns.router),
    ("/results", assessments.router),
    ("/indicators", indicators.router),
    ("/review-policies", review_policies.router),
    ("/agents", agents.router),
    ("/bandwidth", bandwidth.router),
    ("/reports", reports.router),
    ("/imports", imports.router),
    ("/bulk", bulk.router),
    ("/search", search.router),
    ("/pages", search.pages_router),
    ("/words", search.words_router),
    ("/links", search.links_router),
    ("/index", index.router),
    ("/publications", publications.router),
    ("/reading-rooms", reading_rooms.router),
    ("/access", access.router),
    ("/wasapi/v1", wasapi.router),
)

api = build()

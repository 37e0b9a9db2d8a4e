"""The addresses of the pages of profiles, overrides and schedules."""

from django.urls import URLPattern, path
from django.views.generic.base import RedirectView

from opilio.web.views import calendar, overrides, profile_parts, profiles, schedule_patterns, schedules

_PROFILES = [
    path("admin/profiles", profiles.profiles, name="profiles"),
    path("admin/profiles/new", profiles.new_profile, name="profile-new"),
    path("admin/profiles/import", profile_parts.import_profile, name="profile-import"),
    path("admin/profiles/<int:profile_id>", profiles.profile, name="profile"),
    path("admin/profiles/<int:profile_id>/versions", profile_parts.profile_versions, name="profile-versions"),
    path("admin/profiles/<int:profile_id>/export", profile_parts.export_profile, name="profile-export"),
    path("admin/profiles/<int:profile_id>/copy", profile_parts.copy, name="profile-copy"),
    path("admin/profiles/<int:profile_id>/transfer", profile_parts.transfer, name="profile-transfer"),
    path("admin/profiles/<int:profile_id>/<slug:verb>", profile_parts.switch, name="profile-switch"),
]
_OVERRIDES = [
    path("overrides/<int:holder_id>", overrides.overrides, name="overrides"),
    path("overrides/<int:holder_id>/credentials/new", overrides.new_credential, name="credential-new"),
    path("overrides/credentials/<int:credential_id>", overrides.credential, name="credential"),
]
_SCHEDULES = [
    path("schedule", calendar.calendar_page, name="calendar"),
    path("schedule/schedules", schedules.schedules, name="schedules"),
    path("schedule/schedules/<int:schedule_id>", schedules.schedule, name="schedule"),
    path("schedule/schedules/<int:schedule_id>/<slug:verb>", schedules.pause, name="schedule-pause"),
    path("schedule/of/<int:holder_id>", schedules.schedules_of, name="schedules-of"),
    path("schedule/of/<int:holder_id>/new", schedules.new_schedule, name="schedule-new"),
    path("schedule/of/<int:holder_id>/once", calendar.once, name="harvest-once"),
    path("targets/<int:holder_id>/schedules", RedirectView.as_view(pattern_name="web:schedules-of"), name="of-target"),
    path("schedule/planned", calendar.planned, name="planned-harvests"),
    path("schedule/planned/<int:harvest_id>", calendar.planned_harvest, name="planned-harvest"),
    path("admin/schedule-patterns", schedule_patterns.patterns, name="schedule-patterns"),
    path("admin/schedule-patterns/new", schedule_patterns.new_pattern, name="schedule-pattern-new"),
    path("admin/schedule-patterns/<int:pattern_id>", schedule_patterns.pattern, name="schedule-pattern"),
]
urlpatterns: list[URLPattern] = [*_PROFILES, *_OVERRIDES, *_SCHEDULES]

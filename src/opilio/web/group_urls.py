"""The addresses of the pages of groups, of ownership and of assignments."""

from django.urls import URLPattern, path

from opilio.web.views import group_members, group_parts, groups, ownership

urlpatterns: list[URLPattern] = [
    path("groups", groups.groups, name="groups"),
    path("groups/new", groups.new_group, name="new-group"),
    path("groups/<int:group_id>", groups.group, name="group"),
    path("groups/<int:group_id>/members", group_members.members, name="group-members"),
    path("groups/<int:group_id>/tree", group_parts.tree, name="group-tree"),
    path("groups/<int:group_id>/seeds", group_parts.seeds, name="group-seeds"),
    path("groups/<int:group_id>/description", group_parts.description, name="group-description"),
    path("groups/<int:group_id>/access", groups.access, name="group-access"),
    path("groups/<int:group_id>/owner", ownership.group_owner, name="group-owner"),
    path("groups/<int:group_id>/notes", group_parts.notes, name="group-notes"),
    path("groups/<int:group_id>/history", group_parts.history, name="group-history"),
    path("groups/<int:group_id>/copy", groups.copy, name="copy-group"),
    path("targets/<int:target_id>/groups/<slug:verb>", group_members.join, name="join-group"),
    path("targets/<int:target_id>/owner", ownership.target_owner, name="target-owner"),
    path("targets/<int:target_id>/assignment", ownership.assignment, name="target-assignment"),
    path("targets/<int:target_id>/assignment/<slug:verb>", ownership.end_assignment, name="end-assignment"),
    path("owners/<slug:kind_name>/<int:row_id>/take", ownership.take, name="take-ownership"),
    path("in-tray/assigned", ownership.assigned, name="assigned"),
]

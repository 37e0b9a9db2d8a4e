"""The addresses of the pages of authorisations, permissions, authorising agents and templates."""

from django.urls import URLPattern, path, re_path

from opilio.web.views import answers, authorisations, authorising_agents, permission_steps, permissions, templates

urlpatterns: list[URLPattern] = [
    path("authorisations", authorisations.authorisations, name="authorisations"),
    path("authorisations/new", authorisations.new_authorisation, name="new-authorisation"),
    path("authorisations/<int:authorisation_id>", authorisations.authorisation, name="authorisation"),
    path("authorisations/<int:authorisation_id>/edit", authorisations.edit_authorisation, name="edit-authorisation"),
    path("authorisations/<int:authorisation_id>/patterns", authorisations.patterns, name="authorisation-patterns"),
    path("authorisations/<int:authorisation_id>/agents", authorisations.agents, name="authorisation-agents"),
    path(
        "authorisations/<int:authorisation_id>/permissions/new", permissions.new_permission, name="new-permission"
    ),
    re_path(
        r"^authorisations/(?P<authorisation_id>[0-9]{1,18})/(?P<verb>enable|disable)$",
        authorisations.switch,
        name="authorisation-switch",
    ),
    path("authorising-agents", authorising_agents.agents, name="authorising-agents"),
    path("authorising-agents/new", authorising_agents.new_agent, name="new-authorising-agent"),
    path("authorising-agents/<int:agent_id>", authorising_agents.agent, name="authorising-agent"),
    path("permissions", permissions.permissions, name="permissions"),
    path("permissions/explain", permissions.explain, name="explain-permissions"),
    path("permissions/<int:permission_id>", permissions.permission, name="permission"),
    path("permissions/<int:permission_id>/edit", permissions.edit_permission, name="edit-permission"),
    path("permissions/<int:permission_id>/exclusions", permissions.exclusions, name="permission-exclusions"),
    path("permissions/<int:permission_id>/approve", permission_steps.decide, {"verb": "approve"},
         name="approve-permission"),
    path("permissions/<int:permission_id>/reject", permission_steps.decide, {"verb": "reject"},
         name="reject-permission"),
    path("permissions/<int:permission_id>/ask", permission_steps.ask, name="ask-permission"),
    path("permissions/<int:permission_id>/log", permission_steps.log, name="log-permission"),
    path("permissions/<int:permission_id>/said/<int:communication_id>", permission_steps.said, name="said"),
    path("permissions/<int:permission_id>/transfer", permission_steps.transfer, name="transfer-permission"),
    path("permissions/<int:permission_id>/do/<slug:verb>", permission_steps.do, name="permission-step"),
    path("admin/templates", templates.templates, name="templates"),
    path("admin/templates/new", templates.new_template, name="new-template"),
    path("admin/templates/<int:template_id>", templates.template, name="template"),
    path("answered", answers.answered, name="answered"),
    path("answer/<str:token>", answers.answer, name="answer"),
]  # fmt: skip

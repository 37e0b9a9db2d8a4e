"""The addresses of the pages of webhooks."""

from django.urls import URLPattern, path

from opilio.web.views import webhook_messages, webhooks

urlpatterns: list[URLPattern] = [
    path("admin/webhooks", webhooks.webhooks, name="webhooks"),
    path("admin/webhooks/new", webhooks.new_webhook, name="new-webhook"),
    path("admin/webhooks/<int:webhook_id>", webhooks.webhook, name="webhook"),
    path("admin/webhooks/<int:webhook_id>/secret", webhooks.secret, name="webhook-secret"),
    path("admin/webhooks/<int:webhook_id>/try", webhooks.attempt, name="try-webhook"),
    path("admin/webhooks/<int:webhook_id>/messages", webhook_messages.messages, name="webhook-messages"),
    path("admin/webhooks/messages/<int:delivery_id>", webhook_messages.message, name="webhook-message"),
    path("admin/webhooks/messages/<int:delivery_id>/again", webhook_messages.again, name="send-again"),
]

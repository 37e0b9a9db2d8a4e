"""Numbers of the whole installation for those who look after it, whoever may see the rows."""

from opilio.people.models import OutboxMessage, Task


def waiting_tasks() -> int:
    """In-tray tasks that wait for somebody."""
    return Task.objects.count()


def waiting_messages() -> int:
    """E-mails that are neither sent nor given up."""
    return OutboxMessage.objects.filter(sent_at=None, failed_at=None).count()

"""What is collected and with which right: targets, groups, authorisations, profiles, schedules (Django app)."""

"""Agencies, users, roles, privileges, sign-in, in-tray, audit, annotations (Django app)."""

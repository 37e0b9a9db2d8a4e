"""The one pattern of all lists: columns, filters, order, pages, bulk actions, CSV, saved views."""

"""One module per noun: parse, one query or action, answer."""

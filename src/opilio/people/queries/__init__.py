"""Reads of people: each already hides what the asker may not see."""

"""When something happens: cron expressions read, explained in words, and turned into times of a zone. Pure.

`parsing` reads, `words` explains, `times` gives the moments, `checks` refuses what makes no sense. Decision 0024.
"""

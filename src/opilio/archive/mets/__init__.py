"""Describes a package for those who keep it: METS 1.12 with Dublin Core, and PREMIS 3 inside it."""

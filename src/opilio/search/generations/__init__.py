"""Immutable builds of the public index: made aside, sealed by a manifest, verified, kept and removed."""

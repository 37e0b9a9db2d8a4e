"""Misbehaviours: what real servers do on the wire that no standard allows, or that no client likes."""

"""The few nouns that every other package shares. Imports nothing else of Opilio."""

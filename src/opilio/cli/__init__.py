"""The command line: one module per noun, loaded by name on use."""

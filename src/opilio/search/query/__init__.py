"""From what a person typed to what the index is asked: a lenient parser, a tree, a canonical text."""

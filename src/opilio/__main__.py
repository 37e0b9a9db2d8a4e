"""`python -m opilio`: the same as the program `opilio`."""

from opilio.cli.main import run

if __name__ == "__main__":
    run()

"""python -m training.masked FILE… --encoder FOLDER --out FOLDER …: the training where there is no Django."""

import sys
from argparse import ArgumentParser

from tqdm import tqdm

from training.masked.options import HELP, add_arguments, run


def main() -> int:
    parser = ArgumentParser(prog="python -m training.masked", description=HELP)
    add_arguments(parser, encoder=None)
    return run(vars(parser.parse_args()), say=_say, complain=lambda line: print(line, file=sys.stderr))


def _say(line: str) -> None:
    tqdm.write(line)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

"""python -m stimuli.constructions.agreement FILE: write the agreement items."""

import sys
from pathlib import Path

from annotation.itemfile import write_items
from stimuli.constructions.agreement.lexicon import items

if len(sys.argv) != 2:
    sys.exit("Usage: python -m stimuli.constructions.agreement FILE")
write_items(Path(sys.argv[1]), items())

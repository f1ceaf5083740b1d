"""Where text comes from, by the SOURCE.txt beside each file, and whether weights learned from it may be passed on."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

SOURCE = "SOURCE.txt"
FIELDS = {"CORPUS": "corpus", "ORIGIN": "origin", "LICENSE": "license"}
CC_BY = "CC BY 4.0 (creativecommons.org/licenses/by/4.0), turned into weights; by "
# Corpora whose license was read, and why it puts no condition on weights; docs/maskedlm.md says why others do.
FREE = {
    "english_novels": "public domain",
    "presidential": "public domain",
    "masc": "its terms allow use for research and development, commercial too, without conditions",
    "self_dialogue": "BSD 3-Clause: the notice stays with the text, which is not passed on",
    "product_reviews": CC_BY + "Minqing Hu, Bing Liu and others",
    "movie_reviews": CC_BY + "Bo Pang and Lillian Lee",
    "movie_snippets": CC_BY + "Bo Pang and Lillian Lee",
    "tatoeba_en": "CC BY 2.0 FR: attribution, which the card gives; authors by sentence stand in the source file",
}


class SourceUnclear(ValueError):
    """A text whose origin and license are not stated, or that is not among those that leave weights free."""


@dataclass(frozen=True, slots=True)
class Origin:
    corpus: str
    origin: str
    license: str

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def read_origin(path: Path) -> Origin:
    """What a SOURCE.txt says: lines that begin with CORPUS:, ORIGIN: and LICENSE:. SourceUnclear if one is missing."""
    if not path.is_file():
        raise SourceUnclear(f"there is no {path}: a card says where text comes from and what its license allows")
    facts = dict(line.split(":", 1) for line in path.read_text(encoding="utf-8").splitlines() if ":" in line)
    missing = [name for name in FIELDS if not facts.get(name, "").strip()]
    if missing:
        raise SourceUnclear(f"{path} does not say {', '.join(missing)}")
    return Origin(**{field: facts[name].strip() for name, field in FIELDS.items()})


def require_free(origin: Origin) -> None:
    """SourceUnclear if nobody has read this corpus' license and found that weights learned from it are free."""
    if origin.corpus not in FREE:
        raise SourceUnclear(
            f"{origin.corpus} is not among the corpora whose license leaves weights free ({', '.join(FREE)}); read it, "
            "and write it down with its reason (training/masked/sources.py, docs/maskedlm.md)"
        )

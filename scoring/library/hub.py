"""A model on a hub: which commit a branch stands at, and its files here where its weights have to be converted."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scoring.library.pickled import PICKLED, PICKLED_INDEX
from scoring.scorers.contract import ModelError, in_short
from scoring.scorers.networks.weights import CONFIG, INDEX, TOKENIZER_CONFIG, WHOLE, named_in

DEFAULT_BRANCH = "main"
# What a model has beside its weights, as far as transformers reads it.
FILES = (
    CONFIG, "tokenizer.json", TOKENIZER_CONFIG, "special_tokens_map.json", "added_tokens.json", "vocab.txt",
    "vocab.json", "merges.txt", "spm.model", "spiece.model", "sentencepiece.bpe.model", "sentencepiece.model",
    "tokenizer.model", "chat_template.jinja", "bpe.codes", "dict.txt",
)  # fmt: skip


def commit_of(source: str, branch: str) -> str:
    """The commit that a branch or tag stands at now; that of the default branch for none."""
    from huggingface_hub import get_hf_file_metadata, hf_hub_url

    wanted = branch or DEFAULT_BRANCH
    with _told(f"{source} at {wanted}"):
        found = get_hf_file_metadata(hf_hub_url(source, CONFIG, revision=wanted)).commit_hash
    if not found:
        raise ModelError(f"the hub does not say which commit {source} at {wanted} is; give the commit")
    return found


def pickled_snapshot(source: str, commit: str) -> Path | None:
    """A folder with the files of a model whose weights are pickled there; None where the hub has no such."""
    from huggingface_hub import file_exists, hf_hub_download, try_to_load_from_cache

    # Without a hub in reach, what was loaded before can be registered still.
    if any(isinstance(try_to_load_from_cache(source, name, revision=commit), str) for name in (WHOLE, INDEX)):
        return None

    def has(name: str) -> bool:
        return file_exists(source, name, revision=commit)

    def brought(name: str) -> Path:
        return Path(hf_hub_download(source, name, revision=commit))

    with _told(f"{source} at {commit[:12]}"):
        if has(WHOLE) or has(INDEX) or not (has(PICKLED) or has(PICKLED_INDEX)):
            return None
        weights = [PICKLED] if has(PICKLED) else [PICKLED_INDEX, *named_in(brought(PICKLED_INDEX))]
        paths = [brought(name) for name in (*weights, *filter(has, FILES))]
        return paths[0].parent


@contextmanager
def _told(what: str) -> Iterator[None]:
    """What the hub's library raises, as a sentence."""
    # huggingface_hub's own client, whose errors it lets through.
    from httpx2 import HTTPError

    try:
        yield
    except (HTTPError, OSError, ValueError) as error:
        raise ModelError(f"the hub does not give {what} ({in_short(error)})") from error

"""manage.py count_corpus KEY FILE…: count text into a store, from which baselines answer."""

import os
import sqlite3
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from annotation.management.arguments import TellingCommand
from corpus.arguments import FILES, add_reading_arguments, add_several, is_slug, whole
from corpus.errors import BuildError, SourceError
from corpus.remote import is_http, place
from corpus.tables.columns import MAP, NAMING, MapError, mapped
from corpus.word_vectors import READABLE
from scoring.baselines.associations.reading import StoreError
from scoring.baselines.associations.tally import WINDOW
from scoring.library.installation import install_counted
from scoring.library.location import associations_dir
from scoring.library.locks import FolderInUse

# Long enough for a name, short enough that method, name and hash fit a model's key.
LONGEST_KEY = 40


class Command(TellingCommand):
    help = (
        "Parse text files, count verb–noun pairs, nearby words and trigrams into the store KEY, and register its "
        "baselines: PPMI, thematic fit, SDM, n-grams. Files already in the store are not counted again; new files "
        "make new models. If it is interrupted, run it again with the same files to resume. Exit codes: 0 done, 1 a "
        "file or the store cannot be used, 2 wrong arguments."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("key", metavar="KEY", help="name of the store: lower-case letters, digits, single hyphens")
        parser.add_argument("files", type=place, nargs="*", metavar="FILE", help=f"{FILES}; or addresses of such")
        _add_counts(parser)
        add_reading_arguments(parser)
        _add_own(parser)
        parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, metavar="N", help="one per core")
        parser.add_argument(
            "--afresh",
            action="store_true",
            help="discard an unfinished count; finished files are kept",
        )
        parser.add_argument(
            "--keep-earlier",
            action="store_true",
            help="keep earlier states of the store for their models",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not is_slug(options["key"], longest=LONGEST_KEY):
            raise CommandError(
                f"{options['key']!r} is not a valid store name: use lower-case letters, digits and single hyphens, "
                f"at most {LONGEST_KEY}.",
                returncode=2,
            )
        if options["processes"] < 1:
            raise CommandError("--processes must be a whole number from 1.", returncode=2)
        store = associations_dir() / options["key"]
        if options["files"] and options["counts"]:
            raise CommandError("Name text files or one --counts file.", returncode=2)
        if not settings.CORPUS_HTTP and any(map(is_http, options["files"])):
            raise CommandError("CORPUS_HTTP does not allow addresses of the web.", returncode=2)
        own = {
            method: {name: options[name] for name in ("fillers", "prototype") if options[name] is not None}
            for method in ("thematic_fit", "sdm")
        }
        try:
            counted = self._counted(store, options)
            outside = self._outside(store, counted.manifest.content, options["vectors"])
        except MapError as error:
            raise CommandError(str(error), returncode=2) from None
        except (SourceError, BuildError, FolderInUse, StoreError) as error:
            raise CommandError(str(error)) from None
        except (OSError, sqlite3.Error) as error:
            raise CommandError(
                f"Counting into {store} stopped: {error}. The counts so far are kept: fix the problem and run the "
                f"command again."
            ) from None
        self._report(options["key"], counted, own, outside)

    def _counted(self, store: Path, options: dict[str, Any]) -> Any:
        # Imported here, because it loads spaCy, which a command that only shows its help does not need.
        from scoring.baselines.associations import places
        from scoring.baselines.associations.counting import Counted, Wanted, count, one_window, take_counts
        from scoring.corpus_passes.asking import shared_passes

        if options["counts"]:
            return take_counts(
                options["counts"],
                store,
                columns=mapped(options["map"]),
                header=not options["no_header"],
                keep_earlier=options["keep_earlier"],
                say=self.say,
            )
        if not options["files"]:
            existing = places.current(store)
            if existing is None:
                raise CommandError("There is no such store. Name text files or one --counts file.", returncode=2)
            one_window(store, existing, options["window"])
            return Counted(existing, [], [])
        request = Wanted(
            sources=options["files"],
            shared=shared_passes(),
            **{name: options[name] for name in ("format", "field", "window", "processes", "afresh", "keep_earlier")},
        )
        return count(request, store, say=self.say)

    def _outside(self, store: Path, content: str, path: Path | None) -> Any:
        from scoring.baselines.associations.reading import open_store, take_vectors

        if path is None:
            return None
        vectors = take_vectors(path, open_store(store, content))
        self.say(f"vectors {vectors.name}: {vectors.words:,} words of {vectors.dimensions} numbers")
        return vectors

    def _report(self, key: str, counted: Any, own: dict[str, dict[str, int]], outside: Any) -> None:
        for source in counted.known:
            self.say(f"{source.name}: in the store already")
        for source in counted.added:
            self.say(f"{source.name}: {source.lines:,} lines, {source.sha256[:12]}…")
        totals = ", ".join(f"{name.replace('_', ' ')} {n:,}" for name, n in counted.manifest.totals.items())
        self.say(f"{key} {counted.manifest.content[:8]}: {len(counted.manifest.sources)} files, {totals}")
        rows, lacking = install_counted(key, counted.manifest, own, outside)
        for row in rows:
            self.say(f"model {row.key}: {row.name}")
        for method, reason in lacking.items():
            self.say(f"no {method}: {reason}")


def _add_own(parser: ArgumentParser) -> None:
    """What makes other models of the same text."""
    parser.add_argument(
        "--fillers",
        type=whole(1),
        metavar="N",
        help="number of most associated nouns for thematic fit (200) and SDM (50); another number makes another model",
    )
    parser.add_argument(
        "--prototype",
        type=whole(1),
        metavar="M",
        help="how many of these nouns make the prototype (20); another number makes another model",
    )
    parser.add_argument(
        "--window",
        type=whole(1),
        metavar="N",
        help=f"window size in words to the right ({WINDOW}), for unstructured PPMI and word vectors; one per store",
    )
    parser.add_argument(
        "--vectors",
        type=Path,
        metavar="PATH",
        help=(
            f"word vectors for thematic fit and SDM, instead of the store's own: {READABLE}; other vectors make "
            f"other models"
        ),
    )


def _add_counts(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--counts",
        type=Path,
        metavar="FILE",
        help="a file of counts instead of text: verb, noun, relation, count; gives only PPMI-syntax",
    )
    add_several(parser, "--map", MAP, f"columns of --counts for verb, noun, relation and count. {NAMING}")
    parser.add_argument("--no-header", action="store_true", help="the first line of --counts is data")

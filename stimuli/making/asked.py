"""From options to studies: what `build_study` and `import_study` make, and the pages that ask the same."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from corpus.workplace import Workplace
from stimuli.making.alone import without_context
from stimuli.making.contract import MadeStudy
from stimuli.making.joined import Join, declaring, joined
from stimuli.making.options import Misasked
from stimuli.making.registry import builder, importer
from stimuli.making.sampling import sampled


def constructed(key: str, options: dict[str, Any], workplace: Workplace) -> list[MadeStudy]:
    """What the construction of that name makes; raises what `Builder.build` raises."""
    return builder(key).build(workplace, slug=options["slug"], title=options["title"], options=options)


def imported(key: str, options: dict[str, Any]) -> list[MadeStudy]:
    """What the data set's file becomes; raises what `Importer.load` raises."""
    study = importer(key).load(
        options["source"], slug=options["slug"], title=options["title"], limit=options["limit"], options=options
    )
    return [study]


def as_asked(studies: Sequence[MadeStudy], options: dict[str, Any]) -> list[MadeStudy]:
    """With tables joined, a part of the items or all without context, and under the names asked for. Misasked."""
    presented = [_presented(options, _joined(study, options)) for study in studies]
    names = {name: options[name] for name in ("slug", "title") if options.get(name) and len(studies) == 1}
    return [replace(one, settings=one.settings | names) for one in presented]


def _presented(options: dict[str, Any], study: MadeStudy) -> MadeStudy:
    if options.get("sample"):
        _refuse_more_than_there_is(options, study)
        study = sampled(study, options["sample"], seed=options["seed"])
    return without_context(study) if options.get("without_context") else study


def _refuse_more_than_there_is(options: dict[str, Any], study: MadeStudy) -> None:
    """Of a whole file a large sample is all of it; of what --limit leaves, the two ask for different numbers."""
    targets, limit = sum(row.kind == "target" for row in study.rows), options.get("limit")
    if limit and options["sample"] > targets:
        raise Misasked(
            f"--sample {options['sample']} with --limit {limit}: the limit leaves {targets} to draw "
            f"from in {study.slug}. Ask for {targets} at most, or leave one of the two out."
        )


def _joined(study: MadeStudy, options: dict[str, Any]) -> MadeStudy:
    tables, ons, columns = options["join"], options["on"], options["columns"]
    if len(tables) != len(ons) or len(columns) not in (0, len(tables)):
        raise Misasked("Each --join needs one --on; and --columns, where it is given, is there once for each.")
    numbers = [name.strip() for name in options["numbers"].split(",") if name.strip()]
    study = replace(study, settings=declaring(study.settings, numbers))
    for table, on, names in zip(tables, ons, columns or [""] * len(tables), strict=True):
        name, _, column = on.partition("=")
        heads = tuple(head.strip() for head in names.split(",")) if names else ()
        join = Join(table, name, column or name, heads, skips_incomplete=options["join_skip_incomplete"])
        study = joined(study, join)
    return study

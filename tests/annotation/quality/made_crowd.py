"""A made crowd without a database: who is who is known, so that rules can be held against the truth."""

import random
from collections import Counter

from annotation.behavior import PROFILES, Question, Respondent, answer, response_ms
from annotation.quality.rules import Answer
from annotation.tasktypes import task_type

CROWD = {"careful": 30, "noisy": 8, "careless": 4, "hasty": 6, "straight": 6, "repeating": 6}
TASKS = {
    "plausibility": task_type("plausibility").configured({}),
    "forced_choice": task_type("forced_choice").configured({"question": "Which?", "options": ["one", "two", "three"]}),
}
TEXT = "A key opens doors. How plausible is it that a false key opens doors in this old house?"


def made_crowd(task: str, *, seed: int, targets: int = 30, pool: int = 300) -> dict[str, list[Answer]]:
    """Answers by annotator, in the order of one sitting; two items of three have the same reference, as in ADEPT."""
    scale, rng = TASKS[task].scale, random.Random(seed)
    common = scale.values[len(scale.values) // 2]
    truth = {f"t{n}": common if rng.random() < 0.66 else rng.choice(scale.values) for n in range(pool)}
    crowd: dict[str, list[Answer]] = {}
    tallies: dict[str, Counter[str]] = {item: Counter() for item in truth}
    for name in [f"{profile}-{n}" for profile, count in CROWD.items() for n in range(count)]:
        items = [(item, "target") for item in rng.sample(sorted(truth), targets)]
        items += [(f"c{n}", "gold" if n < 4 else "attention") for n in range(6)]
        rng.shuffle(items)
        crowd[name] = [
            _one(name, item, kind, place, truth, task, rng, seed) for place, (item, kind) in enumerate(items)
        ]
        for one in crowd[name]:
            if one.kind == "target":
                tallies[one.item][one.answer] += 1
    return {name: [_among_others(one, tallies) for one in said] for name, said in crowd.items()}


def _one(name, item, kind, place, truth, task, rng, seed) -> Answer:
    scale, profile = TASKS[task].scale, PROFILES[name.partition("-")[0]]
    shown = list(scale.values)
    if task == "forced_choice":
        rng.shuffle(shown)
    reference = truth[item] if kind == "target" else scale.values[int(item[1:]) % len(scale.values)]
    who = Respondent(name, profile, f"crowd/{seed}")
    asked = Question(item, kind, reference, TEXT, int(item[1:]), tuple(shown), place)
    return Answer(
        item=item,
        kind=kind,
        answer=answer(who, asked, scale=scale, gold_distance=1),
        reference=reference,
        sitting=1,
        shown=tuple(shown),
        took_ms=response_ms(who, asked),
    )


def _among_others(one: Answer, tallies: dict[str, Counter[str]]) -> Answer:
    others = Counter(tallies.get(one.item, {}))
    others[one.answer] -= 1
    return Answer(**{name: getattr(one, name) for name in Answer.__slots__} | {"others": dict(+others)})

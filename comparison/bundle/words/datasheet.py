"""datasheet.md: the questions of Gebru et al. (2021), with what Parallax knows; the rest says that it is not known."""

from comparison.bundle.words.facts import Facts, is_folder, mark, payment_words, title
from comparison.bundle.words.markdown import document, md, section
from comparison.figures.people.agreement import on_top
from comparison.page.page import Page
from corpus.errors import counted

QUESTIONS = {
    "Motivation": {
        "purpose": "For what purpose was the dataset created? Was there a specific task in mind, a specific gap?",
        "creator": "Who created the dataset (which team, research group), and on behalf of which entity?",
        "funding": "Who funded the creation of the dataset?",
    },
    "Composition": {
        "instances": "What do the instances that comprise the dataset represent?",
        "how_many": "How many instances are there in total (of each type, if appropriate)?",
        "sample": "Does the dataset contain all possible instances, or is it a sample of a larger set?",
        "consists_of": "What data does each instance consist of?",
        "targets": "Is there a label or target associated with each instance?",
        "missing": "Is any information missing from individual instances?",
        "relations": "Are relationships between individual instances made explicit?",
        "splits": "Are there recommended data splits?",
        "noise": "Are there any errors, sources of noise, or redundancies in the dataset?",
        "self_contained": "Is the dataset self-contained, or does it link to or rely on external resources?",
        "confidential": "Does the dataset contain data that might be considered confidential?",
        "offensive": "Does the dataset contain data that, if viewed directly, might be offensive or cause anxiety?",
        "subpopulations": "Does the dataset identify any subpopulations (by age, gender, …)?",
        "identifiable": "Is it possible to identify individuals, directly or indirectly, from the dataset?",
        "sensitive": "Does the dataset contain data that might be considered sensitive in any way?",
    },
    "Collection process": {
        "acquired": "How was the data associated with each instance acquired?",
        "mechanisms": "What mechanisms or procedures were used to collect the data, and how were they validated?",
        "sampling": "If the dataset is a sample from a larger set, what was the sampling strategy?",
        "involved": "Who was involved in the data collection, and how were they compensated?",
        "timeframe": "Over what timeframe was the data collected?",
        "ethics": "Were any ethical review processes conducted?",
        "directly": "Was the data collected from the individuals directly, or obtained via third parties?",
        "notified": "Were the individuals notified about the data collection?",
        "consent": "Did the individuals consent to the collection and use of their data?",
        "revoke": "Were the consenting individuals provided with a mechanism to revoke their consent?",
        "impact": "Has an analysis of the potential impact of the dataset on data subjects been conducted?",
    },
    "Preprocessing, cleaning, labeling": {
        "processed": "Was any preprocessing, cleaning or labeling of the data done?",
        "raw": "Was the raw data saved in addition to the preprocessed, cleaned, labeled data?",
        "software": "Is the software that was used to preprocess, clean or label the data available?",
    },
    "Uses": {
        "used": "Has the dataset been used for any tasks already?",
        "repository": "Is there a repository that links to any or all papers or systems that use the dataset?",
        "other_tasks": "What other tasks could the dataset be used for?",
        "composition_matters": "Is there anything about its composition or collection that might impact future uses?",
        "not_for": "Are there tasks for which the dataset should not be used?",
    },
    "Distribution": {
        "third_parties": "Will the dataset be distributed to third parties outside of the entity that created it?",
        "how_distributed": "How will the dataset be distributed? Does it have a digital object identifier (DOI)?",
        "when": "When will the dataset be distributed?",
        "license": "Will the dataset be distributed under a copyright or other license, or under terms of use?",
        "restrictions": "Have any third parties imposed restrictions on the data associated with the instances?",
        "export_controls": "Do any export controls or other regulatory restrictions apply?",
    },
    "Maintenance": {
        "maintainer": "Who will be supporting, hosting and maintaining the dataset?",
        "contact": "How can the owner, curator or manager of the dataset be contacted?",
        "erratum": "Is there an erratum?",
        "updates": "Will the dataset be updated (to correct errors, add or delete instances)?",
        "retention": "If the dataset relates to people, are there limits on the retention of their data?",
        "older_versions": "Will older versions of the dataset continue to be supported, hosted and maintained?",
        "contributions": "If others want to extend or contribute to the dataset, is there a mechanism for them?",
    },
}

UNKNOWN = "*not known to Parallax: fill in*"


def datasheet(page: Page, facts: Facts) -> str:
    replies = answers(page, facts)
    return document(
        f"Datasheet: {title(page.study)}",
        md(mark(page.study)),
        "The questions are those of Gebru, Morgenstern, Vecchione, Wortman Vaughan, Wallach, Daumé III and Crawford "
        "(2021), *Datasheets for Datasets*, Communications of the ACM 64 (12): 86–92.",
        *(
            section(
                part,
                *(f"**{question}**\n\n{md(replies.get(key, '')) or UNKNOWN}" for key, question in questions.items()),
            )
            for part, questions in QUESTIONS.items()
        ),
    )


def answers(page: Page, facts: Facts) -> dict[str, str]:
    """By the keys of QUESTIONS; empty where nothing is known."""
    return _on_items(page, facts) | _on_labels(page, facts) | _on_collection(page, facts) | _on_uses(page, facts)


def _on_items(page: Page, facts: Facts) -> dict[str, str]:
    study = page.study
    attributes = ", ".join(facts.attributes) or "none"
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in facts.kinds.items())
    scores_name_folders = any(is_folder(run.provenance.get("source")) for run in facts.runs)
    return {
        "instances": f"Items of the task “{study.task.name}”, each labeled with one of "
        f"{', '.join(study.task.scale.values)}.",
        "how_many": f"{kinds} items; {page.yields.labels:,} labels that count, by {page.yields.annotators:,} "
        "annotators.",
        "consists_of": f"The words shown (content), the attributes {attributes}, and a group for items that share a "
        "source.",
        "relations": f"{facts.grouped:,} targets are in {facts.groups:,} groups of items that share a source (the "
        "field group)."
        if facts.grouped
        else "No item is in a group.",
        # Nothing is known of the items; of what Parallax adds, that is all.
        "confidential": "Provenance in data/scores.csv names folders on the scoring machine. Whether anything else "
        "is confidential is not known to Parallax: fill in."
        if scores_name_folders
        else "",
    }


def _on_labels(page: Page, facts: Facts) -> dict[str, str]:
    yields, counts, labels = page.yields, page.findings.counts, page.study.people.labels
    unscored = sum(run.unscored for run in facts.runs)
    agreement = "; ".join(f"{one.name} {one.estimate}" for one in on_top(page.chosen))
    profiles = ", ".join(f"{count:,} {profile}" for profile, count in facts.profiles.items())
    return {
        "targets": f"{labels[0].upper()}{labels[1:]}, one line each in data/judgments.csv; {facts.references:,} "
        f"targets have a reference, {facts.published:,} a published rating; answers and scores of "
        f"{len(facts.runs):,} runs are in data/scores.csv.",
        "missing": f"{yields.items - yields.complete - yields.dropped:,} of {yields.items:,} targets have fewer labels "
        f"than they need{f', and {yields.dropped:,} were dropped' if yields.dropped else ''}; "
        f"{counts.unlabeled:,} have none. {unscored:,} scores are missing, each with its reason.",
        "noise": f"{counts.none:,} of {counts.labeled:,} labeled items have no majority label. {agreement}."
        if page.outline.has_labels
        else "",
        "subpopulations": f"Annotators are programs with these profiles: {profiles}."
        if page.study.people.are_synthetic
        else "No: annotators were asked only for labels.",
        "identifiable": _identified(facts),
        "composition_matters": page.skew if page.outline.has_labels else "",
    }


def _identified(facts: Facts) -> str:
    """When an imported label was given is in no file: its time is that of the import."""
    sentences = ["Annotators are numbers; platform IDs are not in the files."]
    if facts.sittings:
        sentences.append("Each answer given here has its time and, if the browser measured it, its response time.")
    if facts.imported_answers:
        timed = f"{facts.imported_timed:,}" if facts.imported_timed else "none"
        sentences.append(
            f"Each of {counted(facts.imported_answers, 'imported label')} has the time of its import, not of its "
            f"answer; the response time is known for {timed}."
        )
    return " ".join(sentences)


def _on_collection(page: Page, facts: Facts) -> dict[str, str]:
    yields, paid = page.yields, payment_words(facts)
    if page.study.people.are_synthetic:
        who = {
            "acquired": "Labels are synthetic: a program drew them (Parallax’s simulate_annotators).",
            "involved": "No one: the annotators are programs.",
            "directly": "There are no individuals: the annotators are programs.",
        }
    else:
        who = {
            "acquired": _acquired(facts),
            "involved": f"{yields.annotators:,} annotators; payment: {paid}. The amounts are not known."
            if paid
            else "",
            "directly": _directly(facts),
        }
    return who | {
        "mechanisms": _mechanisms(page, facts),
        "timeframe": f"Answers were given {facts.timeframe} (UTC)." if facts.timeframe else "",
        "processed": f"{yields.labels_excluded:,} labels of excluded annotators and {yields.labels_surplus:,} surplus "
        f"ones {f'and {yields.labels_dropped:,} of dropped items ' if yields.labels_dropped else ''}"
        f"do not count; {facts.revised:,} items were reworded before anyone saw them. Majority labels are computed; "
        "no label is changed. The author of the items must say how they were made.",
        "raw": "Yes: data/judgments.csv has every answer, counted or not, and earlier versions of changed answers.",
        "software": "Parallax; manifest.json has the versions that computed the results.",
    }


def _batches(count: int) -> str:
    return "1 batch" if count == 1 else f"{count:,} batches"


def _acquired(facts: Facts) -> str:
    collected = f"{_batches(facts.sittings)} in the browser" if facts.sittings else ""
    were = "was" if len(facts.sources) == 1 else "were"
    files = f"{counted(len(facts.sources), 'label file')} that {were} imported" if facts.sources else ""
    both = " and ".join(part for part in (collected, files) if part)
    return f"Labels were observed: {both}." if both else ""


def _mechanisms(page: Page, facts: Facts) -> str:
    study = page.study
    rules = "The exclusion rules and the exclusions are in methods.md."
    if not facts.sittings:
        return (
            f"Labels were read from files, which do not say how they were collected. {rules}" if facts.sources else ""
        )
    return (
        f"Parallax showed one item at a time; a batch had {study.sitting_length} targets, {study.gold_per_sitting} "
        f"gold and {study.attention_per_sitting} attention items. {rules}"
    )


def _directly(facts: Facts) -> str:
    files = "; ".join(f"{one.name}{f': {one.note}' if one.note else ''}" for one in facts.sources)
    if facts.sittings and files:
        return f"Both: directly in {_batches(facts.sittings)}, and from files ({files})."
    return f"From files: {files}." if files else ("Directly, in the browser." if facts.sittings else "")


def _on_uses(page: Page, facts: Facts) -> dict[str, str]:
    paper, terms, runs = facts.origin.paper, facts.origin.license, ", ".join(map(str, facts.runs))
    replies = {
        "used": f"In this report, to compare these runs with the labels: {runs}." if runs else "",
        "not_for": "Labels are synthetic: they allow no conclusions about the items or about people."
        if page.study.people.are_synthetic
        else "",
    }
    if paper:
        replies |= {
            "creator": f"The study’s manifest names this paper for its items: {paper}. Who collected the labels is not "
            "known to Parallax: fill in.",
            "repository": f"No repository is known to Parallax; the study’s manifest names the paper {paper}.",
        }
    if terms:
        replies["license"] = (
            f"The study’s manifest gives these terms for the items’ sources: {terms}. The terms of the labels are not "
            "known to Parallax: fill in."
        )
    return replies

"""Figures of people: how far they agree, and how one label is made out of several."""

from comparison.glossary.term import Term

AGREEMENT = (
    Term(
        "percent_agreement",
        "percent agreement",
        "The share of label pairs on the same item that match.",
        "It needs no assumptions, but it does not correct for chance: with few labels to choose from, it is high.",
        "percent-agreement",
    ),
    Term(
        "ac1",
        "Gwet’s AC1",
        "Agreement beyond chance, where chance agreement is taken to be low if one label dominates.",
        "Use it when labels are skewed, together with percent agreement.",
        "gwets-ac1",
    ),
    Term(
        "ac2_ordinal",
        "Gwet’s AC2, ordinal weights",
        "AC1 with partial credit for nearby labels, by the number of steps between them.",
        "Use it for ordered scales, and report the weights.",
        "gwets-ac1",
    ),
    Term(
        "ac2_linear",
        "Gwet’s AC2, linear weights",
        "AC1 with partial credit for nearby labels, by their distance on the scale.",
        "Use it when the steps of the scale are about equal, and report the weights.",
        "gwets-ac1",
    ),
    Term(
        "ac2_quadratic",
        "Gwet’s AC2, quadratic weights",
        "AC1 with partial credit for nearby labels, by their squared distance on the scale.",
        "It hardly penalizes a difference of one step, so it is high when people are close but seldom identical.",
        "gwets-ac1",
    ),
    Term(
        "fleiss_kappa",
        "Fleiss’ κ",
        "Agreement of all annotators at once, beyond what their label shares would give by chance.",
        "Use it for unordered labels that are all in use; it is low when one label dominates.",
        "fleiss-kappa",
    ),
    Term(
        "alpha_nominal",
        "Krippendorff’s α, nominal",
        "Agreement beyond chance for any number of annotators and labels per item; all disagreements count equally.",
        "By convention, .80 or more is good and .667 or more tentative; it is low when one label dominates.",
        "krippendorffs-alpha",
    ),
    Term(
        "alpha_ordinal",
        "Krippendorff’s α, ordinal",
        "Agreement beyond chance for any number of annotators; labels further apart on the scale disagree more.",
        "Use it for ordered scales: by convention, .80 or more is good and .667 or more tentative.",
        "krippendorffs-alpha",
    ),
    Term(
        "alpha_interval",
        "Krippendorff’s α, interval",
        "Agreement beyond chance with labels as numbers; twice the distance counts as four times the disagreement.",
        "Use it when the points of the scale are evenly spaced.",
        "krippendorffs-alpha",
    ),
    Term(
        "reliability",
        "the reliability of all labels per item",
        "α of single labels, stepped up to the number of labels per item (Spearman–Brown; harmonic mean).",
        "Models are compared with the majority of all labels, which can be reliable even if α is low.",
        "krippendorffs-alpha",
    ),
    Term(
        "alpha_ratio",
        "Krippendorff’s α, ratio",
        "Agreement beyond chance with labels as amounts; disagreement is the difference relative to the sum.",
        "Use it when 0 means none, as with seconds or counts; points on a rating scale are not amounts.",
        "krippendorffs-alpha",
    ),
    Term(
        "cohen_kappa",
        "Cohen’s κ, mean over pairs",
        "Agreement beyond chance, averaged over pairs of annotators; chance uses each annotator’s label shares.",
        "Use it when pairs share many items, at least ten on average.",
        "their-means-over-pairs-of-annotators",
    ),
    Term(
        "cohen_linear",
        "Cohen’s κ, linear weights",
        "Cohen’s κ, averaged over pairs of annotators, with partial credit by distance on the scale.",
        "Use it for ordered scales when pairs share many items.",
        "their-means-over-pairs-of-annotators",
    ),
    Term(
        "cohen_quadratic",
        "Cohen’s κ, quadratic weights",
        "Cohen’s κ, averaged over pairs of annotators, with partial credit by squared distance on the scale.",
        "It behaves like a correlation, so it says little about how often labels are identical.",
        "their-means-over-pairs-of-annotators",
    ),
    Term(
        "scott_pi",
        "Scott’s π, mean over pairs",
        "Agreement beyond chance, averaged over pairs of annotators; chance uses the pooled label shares of both.",
        "Use it when pairs share many items and use the labels at similar rates.",
        "their-means-over-pairs-of-annotators",
    ),
    Term(
        "oneself_percent",
        "intra-annotator agreement, percent",
        "How often annotators who labeled an item twice gave the same label both times.",
        "It is an upper limit for agreement between people; a label given shortly before may be remembered.",
        "the-same-person-on-the-same-item-again",
    ),
    Term(
        "oneself_kappa",
        "intra-annotator agreement, κ",
        "The same beyond chance: Cohen’s κ between all earlier and all later labels.",
        "Use it when labels are not skewed and several people repeat items.",
        "the-same-person-on-the-same-item-again",
    ),
    Term(
        "oneself_quadratic",
        "intra-annotator agreement, quadratic weights",
        "The same with partial credit for nearby labels, by their squared distance on the scale.",
        "Use it for ordered scales; it hardly penalizes a difference of one step.",
        "the-same-person-on-the-same-item-again",
    ),
    Term(
        "conger_kappa",
        "Conger’s κ",
        "Cohen’s κ for all annotators at once: chance uses each annotator’s own label shares.",
        "Use it when the same few annotators labeled everything.",
        "congers-kappa",
    ),
    Term(
        "brennan_prediger",
        "Brennan–Prediger",
        "Agreement beyond uniform guessing among all labels of the scale.",
        "Skewed labels do not lower it, but unused labels raise it.",
        "brennan-prediger",
    ),
)


def _wider(key: str, name: str, *, both: bool) -> Term:
    """The term for an interval over other people, or over other people and other items."""
    over, others = ("both", "other annotators and other items") if both else ("annotators", "other annotators")
    return Term(
        f"{key}_{'both' if both else 'raters'}",
        f"{name}, over {over}",
        f"The same value with an interval that generalizes to {others}.",
        "Use it with five or more annotators, and report it when you generalize to people at large.",
        "intervals",
    )


OVER_PEOPLE = tuple(
    _wider(key, name, both=both)
    for key, name in (
        ("ac1", "Gwet’s AC1"),
        ("alpha_nominal", "Krippendorff’s α, nominal"),
        ("alpha_ordinal", "Krippendorff’s α, ordinal"),
    )
    for both in (False, True)
)

PEOPLE = (
    Term(
        "ceiling",
        "the human ceiling",
        "How often one annotator’s label matches the majority label of the others on the same item.",
        "A model that answers like one annotator would reach it; with three labels per item it is slightly too low.",
        "human-performance",
    ),
    Term(
        "people_reference",
        "one annotator vs. the reference",
        "The share of people’s labels that match the item’s reference.",
        "It is only as good as the references, and low if they are doubtful.",
        "human-performance",
    ),
    Term(
        "one_assessor",
        "one annotator as a rater",
        "One annotator’s labels, compared with the majority of the others and with the reference, as a run’s are.",
        "It describes this one person; a few dozen items make the interval narrow enough for a comparison with a run.",
        "single-annotators-as-raters",
    ),
    Term(
        "two_assessors",
        "two annotators",
        "How often two annotators agree, with κ, on the items both labeled, and how accurate their shared label is.",
        "It describes these two people, and is higher than for one alone because items on which they differ drop out.",
        "single-annotators-as-raters",
    ),
    Term(
        "same_items",
        "two studies item by item",
        "Answers of the same raters to the same items, matched by ID, in two studies such as with and without context.",
        "Differences are taken item by item, so they are more precise than between studies with different items.",
        "two-studies-of-the-same-items",
    ),
    Term(
        "by_label",
        "agreement by label",
        "How many items have each label as their majority, and how many of them are unanimous.",
        "Shares are of items that agree, of a label’s items, or in the last rows of all labeled items (Wilson).",
        "aggregating-labels",
    ),
    Term(
        "label_shares",
        "label shares",
        "How often each label was given to the items with each value of an attribute.",
        "A share of few labels is uncertain, and labels of the same item are not independent.",
        "label-shares",
    ),
    Term(
        "ratings_apart",
        "the distance of two ratings",
        "Of all pairs of ratings of an item, how many are the same point, the next point or further apart.",
        "Near the ends of the scale ratings have less room to differ.",
        "ratings-of-the-same-item",
    ),
    Term(
        "ratings_combined",
        "ways to combine ratings",
        "One number for each item: the mean or median of its ratings, or the mean of each annotator’s z-scores.",
        "z-scores help where annotators use the scale differently; with few items each they add noise.",
        "ratings-of-the-same-item",
    ),
    Term(
        "split_half",
        "split halves",
        "How well the means of two halves of each item’s labels correlate, stepped up to all labels.",
        "It estimates what equally many other people would reach; with two or three labels per item it is rough.",
        "correlations-by-condition",
    ),
    Term(
        "divergence",
        "divergence",
        "The share of people’s labels on an item that differ from the models’ answers.",
        "It points to items worth a look; with few labels per item, high values are often chance.",
        "divergence-of-an-item",
    ),
    Term(
        "entropy",
        "the entropy of labels",
        "How spread out people’s labels on an item are, in bits: 0 if all are the same.",
        "Compare items with equal numbers of labels; with few labels it is too low.",
        "entropy",
    ),
    Term(
        "powered",
        "a prediction-powered label share",
        "People’s labels on unlabeled items, estimated from a model’s answers and its errors on labeled items.",
        "It holds even if the model is bad, as long as the labeled items are a random sample.",
        "prediction-powered-inference",
    ),
    Term(
        "tuning",
        "λ",
        "How much weight the model’s answers get, from 0 (none) to 1 (full).",
        "Near 0, the estimate is that of people alone.",
        "prediction-powered-inference",
    ),
    Term(
        "stopping",
        "an anytime-valid interval",
        "An interval or test whose 5 % error rate holds however often you look and whenever you stop.",
        "Use it while labels come in: an ordinary interval then misses far more often than 5 % of the time.",
        "can-we-stop-collecting",
    ),
    Term(
        "planning",
        "planning",
        "What a study of a given size would show, simulated from the items and labels of this one.",
        "It is rough with three or fewer labels per item, and assumes that new items are like these.",
        "how-many-more-items-and-labels",
    ),
    Term(
        "power",
        "power",
        "The share of simulated studies in which the test gives p < .05.",
        "It holds if the difference in this study is the true one; .80 is the usual target.",
        "how-many-more-items-and-labels",
    ),
    Term(
        "median_annotator_seconds",
        "the median annotator",
        "The median, over annotators, of each one’s median time for an answer.",
        "Single long pauses hardly change it; with fewer than six annotators it has no interval.",
        "response-times",
    ),
    Term(
        "share_under_floor",
        "answers faster than the floor",
        "The share of answers that took less time than the exclusion rules allow.",
        "A high share can come from a few quick annotators; the interval allows for that.",
        "response-times",
    ),
)

AGGREGATION = (
    Term(
        "majority",
        "the majority label",
        "The most frequent label, if at least two people gave it and no other label is as frequent.",
        "It works well when people are about equally good; items with a tie or a single label have none.",
        "aggregating-labels",
    ),
    Term(
        "ties_shared",
        "the majority, ties shared",
        "The most frequent label, even if only one person gave it; giving one of several tied labels counts in part.",
        "It leaves out no item, but treats a single label as the truth.",
        "majority",
    ),
    Term(
        "weighted",
        "the weighted majority",
        "Votes are weighted by how often a person is with the majority.",
        "It helps when some people are careless, and hurts when the majority is wrong.",
        "majority",
    ),
    Term(
        "dawid_skene",
        "Dawid–Skene",
        "Each person has a confusion matrix, estimated together with the labels.",
        "Use it with many labels per person; with few, the matrices are mostly noise.",
        "dawid-skene",
    ),
    Term(
        "one_coin",
        "one-coin Dawid–Skene",
        "Each person has one probability of being right, estimated together with the labels.",
        "Use it when people differ in care, not in which labels they prefer.",
        "dawid-skene",
    ),
    Term(
        "mace",
        "MACE",
        "Each person answers some share of the items at random, estimated together with the labels.",
        "Use it when some annotators may be spamming.",
        "dawid-skene",
    ),
    Term(
        "glad",
        "GLAD",
        "People have abilities and items have difficulties, both estimated together with the labels.",
        "Use it when items clearly differ in difficulty and people have labeled many of them.",
        "dawid-skene",
    ),
    Term(
        "moved",
        "the range of accuracy",
        "A run’s highest minus its lowest accuracy over the aggregation methods.",
        "If it is small, the choice of method does not matter; otherwise, report your choice.",
        "other-aggregation-methods",
    ),
)

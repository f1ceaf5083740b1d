"""Figures of people: how far they agree, and how one label is made out of several."""

from comparison.glossary.term import Term

AGREEMENT = (
    Term(
        "percent_agreement",
        "percent agreement",
        "The share of pairs of labels on one item that are the same.",
        "It is what happened and always holds, but chance is in it, so that few labels to choose from make it high.",
        "percent-agreement",
    ),
    Term(
        "ac1",
        "Gwet’s AC1",
        "Agreement beyond chance, where chance is taken to be small if one label is far more common than the others.",
        "Trust it where labels are skewed, and read it beside percent agreement.",
        "gwets-ac1",
    ),
    Term(
        "ac2_ordinal",
        "Gwet’s AC2, ordinal weights",
        "AC1 with labels that are near on the scale agreeing in part, by how many steps lie between them.",
        "Trust it on ordered scales, and say the weights when you report it.",
        "gwets-ac1",
    ),
    Term(
        "ac2_linear",
        "Gwet’s AC2, linear weights",
        "AC1 with near labels agreeing in part, by their distance on the scale.",
        "Trust it where steps of the scale are alike, and say the weights when you report it.",
        "gwets-ac1",
    ),
    Term(
        "ac2_quadratic",
        "Gwet’s AC2, quadratic weights",
        "AC1 with near labels agreeing in part, by their squared distance on the scale.",
        "It hardly counts neighboring labels as apart, so it is high where people are near but seldom the same.",
        "gwets-ac1",
    ),
    Term(
        "fleiss_kappa",
        "Fleiss’ κ",
        "Agreement of all annotators at once, beyond what their shares of labels would give by chance.",
        "Trust it on unordered labels that are all used; it is low where one label is far more common than the others.",
        "fleiss-kappa",
    ),
    Term(
        "alpha_nominal",
        "Krippendorff’s α, nominal",
        "Agreement beyond chance for any number of annotators and labels an item; every two labels are equally apart.",
        "From .80 on it is taken as good and from .667 as tentative, and it is low where one label dominates.",
        "krippendorffs-alpha",
    ),
    Term(
        "alpha_ordinal",
        "Krippendorff’s α, ordinal",
        "Agreement beyond chance for any number of annotators; labels further apart on the scale disagree more.",
        "Trust it on ordered scales: from .80 on it is taken as good and from .667 as tentative.",
        "krippendorffs-alpha",
    ),
    Term(
        "alpha_interval",
        "Krippendorff’s α, interval",
        "Agreement beyond chance with labels taken as numbers; twice as far apart disagrees four times as much.",
        "Trust it where the points of the scale are evenly spaced.",
        "krippendorffs-alpha",
    ),
    Term(
        "reliability",
        "the reliability of all labels of an item",
        "What α is for one label, stepped up to as many as an item has (Spearman–Brown; their harmonic mean).",
        "Models are compared with the majority of all labels: many labels can be reliable though α is low.",
        "krippendorffs-alpha",
    ),
    Term(
        "alpha_ratio",
        "Krippendorff’s α, ratio",
        "Agreement beyond chance with labels taken as amounts; what counts is their difference, relative to their sum.",
        "Trust it where 0 means none, as in seconds or counts; points of a rating scale are not such amounts.",
        "krippendorffs-alpha",
    ),
    Term(
        "cohen_kappa",
        "Cohen’s κ, mean over pairs",
        "Agreement beyond chance of every two annotators who share items, meaned; each guesses with their own shares.",
        "Trust it where pairs share many items, at least ten on average.",
        "their-means-over-pairs-of-annotators",
    ),
    Term(
        "cohen_linear",
        "Cohen’s κ, linear weights",
        "Cohen’s κ over pairs of annotators with near labels agreeing in part, by distance on the scale.",
        "Trust it on ordered scales where pairs share many items.",
        "their-means-over-pairs-of-annotators",
    ),
    Term(
        "cohen_quadratic",
        "Cohen’s κ, quadratic weights",
        "Cohen’s κ over pairs of annotators with near labels agreeing in part, by squared distance on the scale.",
        "It comes near a correlation, so it says little of whether labels are the same.",
        "their-means-over-pairs-of-annotators",
    ),
    Term(
        "scott_pi",
        "Scott’s π, mean over pairs",
        "Agreement beyond chance of every two annotators, meaned; both guess with the shares of the two together.",
        "Trust it where pairs share many items and differ little in which labels they use.",
        "their-means-over-pairs-of-annotators",
    ),
    Term(
        "oneself_percent",
        "agreement with oneself, percent",
        "How often an annotator who labeled an item again, elsewhere, gave the same label as the time before.",
        "It is a ceiling for agreement between people; a repeat soon after the first may be remembered.",
        "the-same-person-on-the-same-item-again",
    ),
    Term(
        "oneself_kappa",
        "agreement with oneself, κ",
        "The same beyond chance: Cohen’s κ of all earlier labels against all later ones.",
        "Trust it where labels are not skewed and several people repeat.",
        "the-same-person-on-the-same-item-again",
    ),
    Term(
        "oneself_quadratic",
        "agreement with oneself, quadratic weights",
        "The same with near labels agreeing in part, by their squared distance on the scale.",
        "Trust it on ordered scales; it hardly counts neighboring labels as apart.",
        "the-same-person-on-the-same-item-again",
    ),
    Term(
        "conger_kappa",
        "Conger’s κ",
        "Cohen’s κ for all annotators at once: each guesses with the shares of their own labels.",
        "Trust it where the same few annotators labeled everything.",
        "congers-kappa",
    ),
    Term(
        "brennan_prediger",
        "Brennan–Prediger",
        "Agreement beyond guessing among all labels of the scale alike.",
        "Skewed labels do not lower it, but labels that nobody uses raise it.",
        "brennan-prediger",
    ),
)


def _wider(key: str, name: str, *, both: bool) -> Term:
    """The term for an interval over other people, or over other people and other items."""
    over, others = ("both", "other annotators of other items") if both else ("annotators", "other annotators")
    return Term(
        f"{key}_{'both' if both else 'raters'}",
        f"{name}, over {over}",
        f"The same value with the interval that it would have for {others}.",
        "Trust it from five annotators on, and report it when you speak of people at large.",
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
        "How often one annotator’s label is the majority label of the others on the same item.",
        "A model that answers like one of the people would reach it; with three labels an item it is a little low.",
        "human-performance",
    ),
    Term(
        "people_reference",
        "one person against the reference",
        "The share of people’s labels that are the item’s reference.",
        "It is as good as the references are, and low where those are in doubt.",
        "human-performance",
    ),
    Term(
        "one_assessor",
        "one annotator as a rater",
        "One annotator’s labels, held like a run’s against the majority of all others and against the reference.",
        "It is of this one person: from some tens of items on its interval says enough to set a run beside it.",
        "single-annotators-as-raters",
    ),
    Term(
        "two_assessors",
        "two annotators",
        "How often two say the same and κ, on the items that both labeled; and how the label they agree on does.",
        "It is of these two people and easier than either alone, as items on which they differ are left out.",
        "single-annotators-as-raters",
    ),
    Term(
        "same_items",
        "two studies item by item",
        "What the same raters say of the same items, by their ids, in two studies such as with and without context.",
        "Differences are taken item by item, so they are surer than those of two studies of unlike items.",
        "two-studies-of-the-same-items",
    ),
    Term(
        "by_label",
        "agreement by label",
        "How many items have each label as their majority, and on how many all labels are the same.",
        "Shares are of items that agree, of a label’s items, and of all labeled ones in the last rows (Wilson’s 95 % "
        "intervals).",
        "aggregating-labels",
    ),
    Term(
        "label_shares",
        "label shares",
        "How often each label of the scale was given to the items with each value of an attribute.",
        "A share of few labels is uncertain, and all labels of one item hang together.",
        "label-shares",
    ),
    Term(
        "split_half",
        "split halves",
        "How well the means of half of each item’s labels go with those of the other half, stepped up to all labels.",
        "It is what as many other people would reach; with two or three labels an item it is rough.",
        "scores-vs-human-ratings",
    ),
    Term(
        "divergence",
        "divergence",
        "The share of people’s labels on an item that differ from the decisions of the models.",
        "It points to items worth a look; with few labels an item, high values are often chance.",
        "divergence-of-an-item",
    ),
    Term(
        "entropy",
        "the entropy of labels",
        "How spread out people’s labels on an item are, in bits: 0 where all are the same.",
        "Compare items with as many labels; few labels show less of it than all people would.",
        "entropy",
    ),
    Term(
        "powered",
        "a label share with a model’s help",
        "What people would say of unlabeled items, by a model’s answers less what it gets wrong on labeled ones.",
        "It holds however bad the model is, if the labeled items are a random part of all.",
        "prediction-powered-inference",
    ),
    Term(
        "tuning",
        "λ",
        "How far the model’s answers are heeded, from 0 for not at all to 1 for fully.",
        "Where it is near 0 the figure is that of people alone.",
        "prediction-powered-inference",
    ),
    Term(
        "stopping",
        "an interval at any look",
        "A figure whose error of 5 % is kept however often you look and whenever you stop.",
        "Trust it while collecting goes on, where an ordinary interval errs far more often than it says.",
        "can-we-stop-collecting",
    ),
    Term(
        "planning",
        "planning",
        "What a study of so many items and labels would show, drawn from the items and labels of this one.",
        "It is rough with three labels an item or fewer, and takes new items to be like these.",
        "how-many-more-items-and-labels",
    ),
    Term(
        "power",
        "power",
        "The share of drawn studies in which the test comes out below .05.",
        "Trust it if the difference that this study shows is the true one; .80 is the usual aim.",
        "how-many-more-items-and-labels",
    ),
)

AGGREGATION = (
    Term(
        "majority",
        "the majority label",
        "The most frequent label, if two people gave it and no other label is as frequent.",
        "Trust it where people are about equally good; ties and lone labels have none.",
        "aggregating-labels",
    ),
    Term(
        "ties_shared",
        "the majority, ties shared",
        "The most frequent label, lone ones too; of labels that tie, naming one earns its share.",
        "It leaves no item out, but takes a lone label for the truth.",
        "majority",
    ),
    Term(
        "weighted",
        "the weighted majority",
        "Votes weigh by how often a person is with the majority.",
        "It helps where some people are careless, and harms where the majority is wrong.",
        "majority",
    ),
    Term(
        "dawid_skene",
        "Dawid–Skene",
        "Each person has a table of errors, learned together with the labels.",
        "Trust it with many labels a person; with few, the tables follow chance.",
        "dawid-skene",
    ),
    Term(
        "one_coin",
        "one-coin Dawid–Skene",
        "Each person has one chance of being right, learned together with the labels.",
        "Trust it where people differ in care and not in which labels they prefer.",
        "dawid-skene",
    ),
    Term(
        "mace",
        "MACE",
        "Each person answers some share of the items at random, which is learned together with the labels.",
        "Trust it where some annotators may be spamming.",
        "dawid-skene",
    ),
    Term(
        "glad",
        "GLAD",
        "People have ability and items difficulty, both learned together with the labels.",
        "Trust it where items clearly differ in how hard they are and people have labeled many.",
        "dawid-skene",
    ),
    Term(
        "moved",
        "the movement of accuracy",
        "The highest less the lowest accuracy of a run over the ways to make one label.",
        "Where it is small the choice of a way does not matter; where it is not, say which you made.",
        "other-aggregation-methods",
    ),
)

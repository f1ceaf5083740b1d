"""Figures of models: beside people and references, beside one another, and each by itself."""

from comparison.page.glossary.term import Term

ACCURACY = (
    Term(
        "accuracy",
        "accuracy",
        "The share of a run’s decisions that are the label taken as true: the majority’s, or the reference.",
        "Read it beside chance, the best constant label and one annotator; a label that dominates makes it high.",
        "accuracy",
    ),
    Term(
        "kappa",
        "Cohen’s κ",
        "How far a run and the label taken as true agree beyond what their shares of labels give by chance.",
        "Trust it where several labels are used; it is 0 for a run that gives one label.",
        "cohens-kappa",
    ),
    Term(
        "right_of_n",
        "right of n",
        "How many decisions are right, of those that have a label to be held against.",
        "Runs with different n were asked about different items and cannot be compared by it.",
        "accuracy",
    ),
    Term(
        "fewer_classes",
        "accuracy with fewer classes",
        "The same decisions counted on a coarser scale, or without the items that have one of the labels.",
        "It is always as high or higher, so compare it only with figures of as many classes.",
        "fewer-classes",
    ),
    Term(
        "balanced_accuracy",
        "balanced accuracy",
        "The mean over labels of the share that is right among items so labeled.",
        "Giving one label to everything has 1 / labels, however skewed they are; labels with few items make it shaky.",
        "balanced-accuracy",
    ),
    Term(
        "macro_f1",
        "macro F1",
        "The mean over labels of F1, which is high where a label is neither missed nor overused.",
        "Trust it where rare labels matter as much as common ones; few items of a label make it shaky.",
        "macro-f1",
    ),
    Term(
        "matthews",
        "MCC",
        "The correlation of given and true labels: 1 is always right and 0 is chance, however skewed the labels are.",
        "Trust it on skewed labels; it is undefined where a run gives one label only.",
        "mcc",
    ),
    Term(
        "kappa_linear",
        "κ with linear weights",
        "Agreement beyond chance with the labels taken as true; a label is wrong by its distance in degrees.",
        "Trust it on ordered scales, beside accuracy.",
        "weighted-kappa",
    ),
    Term(
        "kappa_quadratic",
        "κ with quadratic weights",
        "Agreement beyond chance with the labels taken as true; a label is wrong by the square of its distance.",
        "It comes near a correlation, so a run can be high and seldom exactly right.",
        "weighted-kappa",
    ),
    Term(
        "mean_distance",
        "the mean distance in degrees",
        "How many degrees a run’s decisions lie from the label taken as true, on average; 0 is always right.",
        "Trust it where steps of the scale are alike; answering the middle always keeps it low.",
        "mean-distance-in-degrees",
    ),
)

DISTRIBUTIONS = (
    Term(
        "jensen_shannon",
        "the Jensen–Shannon distance",
        "How far a run’s probabilities lie from the shares of people’s labels, from 0 to 1.",
        "Read it beside half of the people: with five labels an item even the true shares do not reach 0.",
        "jensen-shannon",
    ),
    Term(
        "total_variation",
        "total variation",
        "The share of labels that would have to change for people’s shares to be the run’s probabilities.",
        "Read it beside half of the people, whose distance few labels make large by chance.",
        "total-variation",
    ),
    Term(
        "cross_entropy",
        "cross-entropy",
        "The bits that one of people’s labels costs by the run’s probabilities; fewer are better.",
        "One label to which the run gives no probability makes it infinite, and so undefined.",
        "cross-entropy",
    ),
    Term(
        "ece",
        "the expected calibration error",
        "How far a run’s probability lies from how often it is right, over bins of equal size.",
        "It is never below 0, so hold it against what chance alone gives; under 50 items there is none.",
        "calibration",
    ),
    Term(
        "too_sure",
        "being too sure",
        "The mean probability of the label that a run gives, less the share that is right.",
        "Above 0 the run is too sure and below it too unsure; errors in both directions cancel out.",
        "calibration",
    ),
)

VERDICT = (
    Term(
        "rank",
        "the rank",
        "The places among the models that are open to a model, as far as chance lets pairs of models be told apart.",
        "The nearest models are those with 1 in their range; name no order among models whose ranges overlap.",
        "the-nearest-models",
    ),
    Term(
        "best",
        "being first in resamples",
        "In how many of 100 resampled sets of items this model is first of the models, from 1,000 drawn sets.",
        "It is no probability of being the best: of two equal models one is first in over 95 in 1 of 10 studies.",
        "the-nearest-models",
    ),
    Term(
        "nearest",
        "a nearest model",
        "A model that cannot be told from the best one on these items (model confidence set, level .05).",
        "All truly best models are among them in 95 of 100 studies; few items leave many of them.",
        "the-nearest-models",
    ),
    Term(
        "told",
        "being better than chance and than one label",
        "Exact one-sided tests of a run against guessing, and against the one label that is right most often.",
        "Each question, “worse” too, is held at .05 over all runs (Holm); “not shown” may only mean too few items.",
        "chance-and-the-best-constant",
    ),
    Term(
        "beside_person",
        "the difference from one person",
        "How much more often a run gives the label that the others agree on than one person who is left out.",
        "An interval on one side of 0 tells them apart; being above is not being better than people.",
        "one-person",
    ),
    Term(
        "verdict",
        "the verdict",
        "A fixed order of tests says which models are better than chance, and which cannot be told from the best.",
        "It names no winner that chance explains, and says how many items would settle what is open.",
        "the-verdict",
    ),
    Term(
        "unscored",
        "an unscored item",
        "An item for which a run has no answer, with the reason; it is never counted as wrong.",
        "Where many are unscored, the run’s other figures are of a choice of items.",
        "accuracy",
    ),
    Term(
        "confusion",
        "a confusion matrix",
        "How often a run gives each label where another was taken as true; shares are of the row.",
        "Rows with few items say little; the marked cells are right.",
        "confusion",
    ),
    Term(
        "breakdown",
        "a breakdown",
        "The same figures for each value of an attribute of the items.",
        "Among twenty values one will stand out by chance, so look at the intervals and plan a test anew.",
        "breakdown",
    ),
)

STRENGTHS = (
    Term(
        "strength",
        "ρ of strengths",
        "Spearman’s rank correlation of a run’s strength with people’s labels, published ratings or the reference.",
        "It asks for order alone and needs no cut points; an interval that holds 0 is no finding.",
        "strength",
    ),
    Term(
        "cut_points",
        "a degree by cut points",
        "A degree read off a run’s strength, which was cut to agree with the labels of other items most often.",
        "Read it beside the best constant label: the run itself named no degree.",
        "degrees-by-cut-points",
    ),
    Term(
        "rank_accuracy",
        "accuracy of ranks",
        "The share of items on which the first word stands higher in the model’s vocabulary than the others.",
        "Compare it with the neutral context, since a frequent word stands high anywhere.",
        "ranks",
    ),
    Term(
        "mrr",
        "MRR",
        "The mean over items of one over the rank of the first word in the whole vocabulary.",
        "The first few ranks decide it, so it hides what happens further down.",
        "ranks",
    ),
    Term(
        "rank_difference",
        "the rank difference",
        "The mean rank of the first word less that of the best of the others; above 0 the other stands higher.",
        "A few items with enormous ranks can decide it, so read it beside accuracy.",
        "ranks",
    ),
)

BETWEEN = (
    Term(
        "cochran_q",
        "Cochran’s Q",
        "One test of whether any of the models differ at all in how often they are right.",
        "Trust it on the items that all have labeled; it does not say which differ.",
        "cochrans-q",
    ),
    Term(
        "mcnemar",
        "McNemar’s test",
        "An exact test of two runs on the items that only one of them has right.",
        "Read the p after Holm, which allows for the number of pairs; a large p does not show that they are equal.",
        "all-pairs",
    ),
    Term(
        "surprisal",
        "surprisal",
        "How unexpected a run finds a text or token, in bits: −log₂ of the probability that it gives.",
        "Compare texts within one run and metric; of whole texts it grows with their length.",
        "surprisal",
    ),
    Term(
        "bias_label",
        "bias by label",
        "The share of items that the run gives a label to, less the share of which it is true.",
        "Believe it where p after Holm is small; a run may be wrong often without favoring a label.",
        "response-bias",
    ),
    Term(
        "bias_length",
        "bias by length",
        "The rank correlation of what a run says with the length in words, among items with the same true label.",
        "Sums of log-probabilities fall with every word; other runs should be near 0.",
        "response-bias",
    ),
    Term(
        "difference",
        "the difference of two runs",
        "How much more often the first run is right than the second, on the items that both label.",
        "An interval that holds 0 leaves open which is better.",
        "all-pairs",
    ),
    Term(
        "alike",
        "agreement of runs",
        "How often two runs give the same label, in percent and beyond chance as Cohen’s κ.",
        "No truth is in it: two runs can agree and both be wrong.",
        "agreement-of-runs",
    ),
    Term(
        "advantage",
        "the advantage probability ρ",
        "How often a model is at least as near to the other annotators as the one who was left out.",
        "Compare models by it; where one label is nearly all there is, any baseline passes.",
        "rho",
    ),
    Term(
        "winning_rate",
        "the winning rate ω",
        "The share of annotators that the model wins against, given ε for being cheaper.",
        "From .50 on it may take a place, if at least three annotators share 30 items each with others.",
        "omega",
    ),
)

ASKED = (
    Term(
        "place_mean",
        "the mean probability of a place",
        "The probability of the option in that place, meaned over orders and items.",
        "Without bias every place of shuffled options has the same.",
        "mean-probability-of-a-place",
    ),
    Term(
        "place_above",
        "above an even share",
        "That mean less the mean over the places that held the same options in the other orders.",
        "It is 0 without bias, so an interval on one side of 0 shows what a place does.",
        "above-an-even-share",
    ),
    Term(
        "place_lead",
        "the first place less the last",
        "How much more probability an option has in the first place than in the last.",
        "It is 0 without bias; far from 0, answers tell of places more than of items.",
        "first-place-less-last-place",
    ),
    Term(
        "steady",
        "the same answer in every order",
        "The share of items on which the model’s answer stays whatever the order of options.",
        "Where it is low, a single order would have given other decisions.",
        "the-same-answer-in-every-order",
    ),
    Term(
        "on_letters",
        "the probability on the letters",
        "How much of the model’s probability is on the letters that it may answer with.",
        "Where it is low the model was not answering the question, and the rest says little.",
        "probability-on-the-letters-at-all",
    ),
)

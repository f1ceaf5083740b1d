"""The option that a reply names (docs/metrics.md, S2), in the forms in which models write it. No model is needed."""

import time

import pytest

from scoring.scorers.endpoint.replies import EMPTY, NONE, SEVERAL, UNENDED, read

YES_NO = (("yes", "Yes"), ("no", "No"))
PAIR = (("good", "The cats sleep."), ("bad", "The cats sleeps."))
FIVE = (
    ("impossible", "Impossible"),
    ("less_likely", "Less likely"),
    ("equally_likely", "Equally likely"),
    ("more_likely", "More likely"),
    ("necessarily_true", "Necessarily true"),
)
WORDS = (("intensifier", "very"), ("negation", "not"))
NEGATED = (("intensifier", "sehr"), ("negation", "nicht"))
SIGNED = (("animate", "+ animate"), ("inanimate", "- animate"))
ENDS = {1: "1 Much less plausible", 7: "7 Much more plausible"}
POINTS = tuple((str(point), ENDS.get(point, str(point))) for point in range(1, 8))

REPLIES = [
    ((("is", "is"), ("are", "are")), "The answer is", ""),
    ((("was", "was"), ("were", "were")), "The answer was", ""),
    ((("the", "the"), ("a", "a")), "A", ""),
    ((("lowest", "-2"), ("highest", "2")), "- 2", ""),
    ((("lowest", "-2"), ("highest", "2")), "–2", "lowest"),
    ((("low", "1.5"), ("high", "2.5")), "1", ""),
    (PAIR, "<think>\nMaybe the answer is A, let me see.\n</think>\n\nB", "bad"),
    (PAIR, "The answer is a tentative B.", "bad"),
    (PAIR, "Answer: A or B", ""),
    (PAIR, "Answer: \\boxed{B}", "bad"),
    (PAIR, "Antwort: B", "bad"),
    (PAIR, "$B$", "bad"),
    (PAIR, "$\\boxed{\\text{B}}$", "bad"),
    (PAIR, "**B**", "bad"),
    (PAIR, "(B)", "bad"),
    (PAIR, "Option B", "bad"),
    (PAIR, "Option B is better.", "bad"),
    (PAIR, "Réponse : B", "bad"),
    (PAIR, "La respuesta es B.", "bad"),
    (PAIR, "Respuesta: B", "bad"),
    (PAIR, "Ответ: Б", ""),
    (PAIR, "Ответ: В", "bad"),
    (PAIR, "Ответ: B", "bad"),
    (PAIR, "答案：B", "bad"),
    (PAIR, "答案是B。", "bad"),
    (PAIR, "答えはBです。", "bad"),
    (PAIR, "정답은 B입니다.", "bad"),
    (PAIR, "正解: B", "bad"),
    (PAIR, "我选B", "bad"),
    (PAIR, "not B", ""),
    (PAIR, "Neither.", ""),
    (PAIR, "neither", ""),
    (PAIR, "The answer is not B.", ""),
    (PAIR, "Answer: neither A nor B", ""),
    (PAIR, "Neither A nor B.", ""),
    (PAIR, "A … no, B. Final answer: B", "bad"),
    (PAIR, "A... no, B.", ""),
    (PAIR, "Answer: A. No wait, the answer is B.", "bad"),
    (PAIR, "Answer: A? No. Answer: B", "bad"),
    (PAIR, "The cats sleep.", "good"),
    (PAIR, "Answer: The cats sleeps.", "bad"),
    (PAIR, '"The cats sleep."', "good"),
    (PAIR, "A. The cats sleep.", "good"),
    (PAIR, "A. The cats sleeps.", ""),
    (PAIR, "B. The cats sleeps.\n\nBecause dogs.", "bad"),
    (PAIR, "<think>The answer is A", ""),
    (PAIR, "the answer is A</think>B", "bad"),
    (PAIR, "<reasoning>A?</reasoning>B", "bad"),
    (PAIR, "◁think▷ answer A ◁/think▷B", "bad"),
    (PAIR, "[THINK]Answer: A[/THINK]B", "bad"),
    (PAIR, "[THINK]Answer: A", ""),
    (
        PAIR,
        "<|channel|>analysis<|message|>Answer A<|end|><|start|>assistant<|channel|>final<|message|>B<|return|>",
        "bad",
    ),
    (PAIR, "<|channel|>analysis<|message|>Answer: A", ""),
    (PAIR, "analysisThe answer is A.assistantfinalB", "bad"),
    (PAIR, "analysisThe answer is A", ""),
    (PAIR, "analysis\nThe answer is A.\nfinal\nB", "bad"),
    (PAIR, "<thinking>A</thinking>\n<answer>B</answer>", "bad"),
    (PAIR, "<|START_THINKING|>Answer: A<|END_THINKING|>B", "bad"),
    (PAIR, "<|begin_of_thought|>A<|end_of_thought|>B", "bad"),
    (PAIR, "<think>a<think>Answer: A</think>b</think>B", "bad"),
    (PAIR, "<seed:think>Answer: A</seed:think>B", "bad"),
    (PAIR, "B", "bad"),
    (PAIR, " **B** ", "bad"),
    (PAIR, "B) x", ""),
    (PAIR, "B\nBecause lamps break.", "bad"),
    (PAIR, "Lamps do break.\nAnswer: B", "bad"),
    (PAIR, "The answer is (b).", "bad"),
    (PAIR, "b", "bad"),
    (PAIR, "b.", "bad"),
    (PAIR, "a", "good"),
    (PAIR, "a)", "good"),
    (PAIR, "A dog barks", ""),
    (PAIR, "A lamp that is broken", ""),
    (PAIR, "I cannot say.", ""),
    (PAIR, "", ""),
    (PAIR, "Z", ""),
    (PAIR, "Answer: Z", ""),
    (PAIR, "Better not", ""),
    (PAIR, "A or B", ""),
    (PAIR, "A and B", ""),
    (PAIR, "A/B", ""),
    (PAIR, "A, B", ""),
    (PAIR, "Answer: A, B", ""),
    (PAIR, "Both A and B are fine.", ""),
    (PAIR, "Answer: B, because A is ungrammatical.", "bad"),
    (PAIR, "Answer: B. A is ungrammatical.", ""),
    (PAIR, "B is better than A.", "bad"),
    (PAIR, "Answer: A is possible but B", ""),
    (PAIR, "Answer: B (not A)", "bad"),
    (PAIR, "Answer: A, not B", "good"),
    (PAIR, "Answer: A rather than B", "good"),
    (PAIR, "B is wrong.", ""),
    (PAIR, "The answer isn't B.", ""),
    (PAIR, "I don't think the answer is B.", ""),
    (PAIR, "Final answer: B. My first answer was A.", ""),
    (PAIR, "**Final Answer:** B", "bad"),
    (PAIR, "**Answer:**\n\nB", "bad"),
    (PAIR, "The correct option is B", "bad"),
    (PAIR, "I would choose B.", "bad"),
    (PAIR, "I'd go with A because it agrees.", "good"),
    (PAIR, '{"answer": "B"}', "bad"),
    (PAIR, "Answer with one letter: A or B.\nB", "bad"),
    (PAIR, "The answer to the question is B", "bad"),
    (PAIR, "Die richtige Antwort ist B.", "bad"),
    (PAIR, "La bonne réponse est la B.", "bad"),
    (PAIR, "A resposta correta é a B.", "bad"),
    (PAIR, "La risposta è B", "bad"),
    (PAIR, "Odpowiedź: B", "bad"),
    (PAIR, "Antwoord: B", "bad"),
    (PAIR, "Svar: B", "bad"),
    (PAIR, "Cevap: B", "bad"),
    (PAIR, "Απάντηση: Β", "bad"),
    (PAIR, "Let me think.\n\nB", "bad"),
    (PAIR, "The better sentence is B", ""),
    (PAIR, "There is no answer; A and B are both fine", ""),
    (PAIR, "Answer: A because it agrees", "good"),
    (PAIR, "The answer is A.", "good"),
    (PAIR, "It's B.", "bad"),
    (PAIR, "Ｂ", "bad"),
    (PAIR, "\\(B\\)", "bad"),
    (PAIR, "\\[\\boxed{B}\\]", "bad"),
    (PAIR, "I think the answer is probably B", "bad"),
    (PAIR, "[B]", "bad"),
    (PAIR, "`B`", "bad"),
    (PAIR, "B!", "bad"),
    (PAIR, "Sure! B", ""),
    (PAIR, "Vitamin B", ""),
    (YES_NO, "Yes", "yes"),
    (YES_NO, "yes.", "yes"),
    (YES_NO, "No, it is not.", "no"),
    (YES_NO, "Answer: No", "no"),
    (YES_NO, "The answer is yes.", "yes"),
    (YES_NO, "Yes or no", ""),
    (YES_NO, "B. No", "no"),
    (YES_NO, "A. No", ""),
    (YES_NO, "Not sure", ""),
    (YES_NO, "No, A.", ""),
    (FIVE, "Less likely.", "less_likely"),
    (FIVE, "Answer: More likely", "more_likely"),
    (FIVE, "A. Impossible", "impossible"),
    (FIVE, "The answer is that it is less likely.", "less_likely"),
    (FIVE, "B", "less_likely"),
    (FIVE, "C or D", ""),
    (FIVE, "E. Necessarily true", "necessarily_true"),
    (FIVE, "**D. More likely**", "more_likely"),
    (FIVE, "Answer: A Impossible", "impossible"),
    (FIVE, "E numbers are bad", ""),
    (WORDS, "very", "intensifier"),
    (WORDS, "not", "negation"),
    (WORDS, "B. not", "negation"),
    (WORDS, 'The answer is "not".', "negation"),
    (WORDS, "not A", ""),
    (WORDS, "Answer: very", "intensifier"),
    (WORDS, "The answer is very clear: B", "negation"),
    (POINTS, "4", "4"),
    (POINTS, "Rating: 4", "4"),
    (POINTS, "4/7", "4"),
    (POINTS, "4 out of 7", "4"),
    (POINTS, "4/5", ""),
    (POINTS, "3.5", ""),
    (POINTS, "4 or 5", ""),
    (POINTS, "4-5", ""),
    (POINTS, "between 4 and 5", ""),
    (POINTS, "-2", ""),
    (POINTS, "Answer: 4.0", "4"),
    (POINTS, "\\boxed{4}", "4"),
    (POINTS, "D", "4"),
    (POINTS, "D. 4", "4"),
    (POINTS, "D. 5", ""),
    (POINTS, "G. 7 Much more plausible", "7"),
    (POINTS, "7 Much more plausible", "7"),
    (POINTS, "Much less plausible", "1"),
    (POINTS, "9", ""),
    (POINTS, "10", ""),
    (POINTS, "not 4", ""),
    (POINTS, "<think>maybe 3</think>4", "4"),
    (POINTS, "I'd say 4.", "4"),
    (POINTS, "Bewertung: 4", "4"),
    (POINTS, "**4**", "4"),
    (POINTS, "Answer: 4, with 90% confidence", "4"),
    (POINTS, "I would give it a 4.", "4"),
    (POINTS, "评分：4", "4"),
    (PAIR, "B<|im_end|>\n<|im_start|>user\nA", "bad"),
    (PAIR, "<|im_start|>assistant\nB<|im_end|>", "bad"),
    (PAIR, "Answer: A</s>\nAnswer: B", "good"),
    (WORDS, "It is not", ""),
    (WORDS, "The answer is not", ""),
    (WORDS, "The answer is: not", "negation"),
    (WORDS, "It should be **not", ""),
    (WORDS, "The answer is **very**", "intensifier"),
    *((WORDS, reply, "negation") for reply in ("It should be not.", "It is **not**", "It is not, because it fits.")),
    (WORDS, "The answer is not</s>", "negation"),
    (PAIR, "<reflection>Answer: A</reflection><output>B</output>", "bad"),
    (PAIR, "<final_answer>B</final_answer>", "bad"),
    (PAIR, "<answer>B", "bad"),
    (PAIR, "<answer>A or", ""),
    (PAIR, "In <answer> tags. Answer: B", "bad"),
    (PAIR, "<output>The verb must agree.</output>\n\nB", "bad"),
    (PAIR, "<response>Verbs agree.</response>\nAnswer: B", "bad"),
    (PAIR, "> B", "bad"),
    (PAIR, "The unacceptable one is:\n\n> B", ""),
    (PAIR, "This sentence is ungrammatical:\n> The cats sleeps.", ""),
    (POINTS, "> 4", ""),
    (PAIR, "- **B**", "bad"),
    (PAIR, "- A: odd\n- B: fine", ""),
    (PAIR, "_B_", "bad"),
    (PAIR, "<b>B</b>", "bad"),
    (PAIR, "✅ B", "bad"),
    (PAIR, "A ❌", ""),
    (PAIR, "\\fbox{B}", "bad"),
    (PAIR, "$\\boxed B$.", "bad"),
    (PAIR, "\\boxed A or B", ""),
    (POINTS, "\\boxed 4.5", ""),
    (PAIR, "C'est B.", "bad"),
    (PAIR, "Ce n'est pas B.", ""),
    (PAIR, "正确答案是：B", "bad"),
    (PAIR, "不正确：B", ""),
    (PAIR, "Bを選びます。", "bad"),
    (PAIR, "Ans: B", "bad"),
    (FIVE, "D (more likely)", "more_likely"),
    (FIVE, "more likely (D)", "more_likely"),
    (FIVE, "more likely (B)", ""),
    (WORDS, "Answer: A (not)", ""),
    (POINTS, "On a 7-point scale, 4.", "4"),
    (POINTS, "Rating: 4 (1 = worst, 7 = best)", "4"),
    (POINTS, "评分是4分", "4"),
    (POINTS, "4点です", "4"),
    (PAIR, "L'option B.", "bad"),
    (POINTS, "1.0", "1"),
    (SIGNED, "+ animate", "animate"),
    (SIGNED, "- animate", "inanimate"),
    (SIGNED, "- **+ animate**", "animate"),
    (NEGATED, "Die Antwort ist **nicht**.", "negation"),
    (NEGATED, "Die Antwort ist nicht", ""),
]


@pytest.mark.parametrize(("options", "reply", "answer"), REPLIES)
def test_s2_the_option_that_a_reply_names(options, reply, answer):
    found = read(reply, options)
    assert found.answer == answer
    assert bool(found.unread) == (not answer)


@pytest.mark.parametrize(
    "reply",
    [
        *("Odpowiedź: A lub B", "Odpověď: A nebo B", "Vastaus: A tai B", "Svar: A eller B", "Antwoord: A of B"),
        *(
            "Cevap: A ya da B",
            "정답: A 또는 B",
            "الإجابة: A أو B",
            "Απάντηση: Α ή Β",
            "答え：A、またはB",
            "Válasz: A vagy B",
        ),
    ],
)
def test_s2_two_options_are_none_in_every_language(reply):
    assert read(reply, PAIR).unread == SEVERAL


@pytest.mark.parametrize(
    "reply",
    [
        *(
            "La respuesta no es A.",
            "La risposta non è A.",
            "A resposta não é A.",
            "Vastaus ei ole A.",
            "Svaret er ikke A.",
        ),
        *(
            "Odpověď není A.",
            "正解はAではなくBです。",
            "Η απάντηση δεν είναι Α.",
            "Yr ateb nid yw A.",
            "Svarið er ekki A.",
        ),
        *("Ni A.", "Nem A.", "Don't pick A.", "Anything but A.", "I'd rule out A.", "¬A", "不选A"),
    ],
)
def test_s2_a_letter_behind_words_that_are_not_known_is_none(reply):
    assert not read(reply, PAIR).answer


@pytest.mark.parametrize(
    "reply",
    [
        *("Sentence A sounds odd; sentence B is better.", "A es menos natural que B.", "A: unnatural\nB: natural"),
        *("Option A has the wrong word order.", "A - odd\nB - fine", "A klingt falsch; B klingt besser.", "A (wrong)"),
        *("Sentence A is less natural than sentence B.", "A is odd, so is B.", "A for formal texts, B otherwise", "A+"),
        *("My answer would be A if it were formal, otherwise B.", "A because it agrees, no, B", "A as well as B"),
    ],
)
def test_s2_a_letter_that_more_is_said_of_is_none(reply):
    assert not read(reply, PAIR).answer


@pytest.mark.parametrize(
    "reply",
    [
        *("A\nB", "A\nNo, B", "Answer: A\nNo, that's wrong.", "If formal:\nAnswer: A\nIf informal:\nAnswer: B"),
        *(
            "B\n\nSentence: Cows moo.\nAnswer: A",
            "A. The cats sleep, fine\nB. The cats sleeps.",
            "\\boxed{A} \\boxed{B}",
        ),
    ],
)
def test_s2_lines_that_name_different_options_name_none(reply):
    assert not read(reply, PAIR).answer


@pytest.mark.parametrize(
    "reply",
    [
        *(
            "thought\nThe answer is A, hmm no.\nB",
            "The correct answer is B.",
            "B) The cats sleeps.",
            "Answer: B (because …)",
        ),
        *("A) The cats sleep.\nB) The cats sleeps.\n\nAnswer: B", "B\n\nExplanation: Sentence A lacks a verb."),
        *("I'm torn. A is ungrammatical, so B.", "Erantzun zuzena B da.", "คำตอบคือ B", "Yr ateb cywir yw B.", "B</s>"),
        *('{"answer": "B", "reasoning": "A would be odd"}', "<choice>B</choice>", "我认为A不自然，所以答案是B。"),
    ],
)
def test_s2_the_known_forms_are_read_beside_other_words(reply):
    assert read(reply, PAIR).answer == "bad"


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        *((reply, "4") for reply in ("I'd rate this sentence 4 out of 7.", "Rating (1-7): 4", "Rating: 4 (scale 1-7)")),
        *(
            (reply, "4")
            for reply in ("4점", "評価：4点", "Note : 4 sur 7", "On a scale from 1 to 7, I would give this a 4.")
        ),
        *(
            (reply, "")
            for reply in ("Rating: 4 (of 5)", "1,000", "–2", "at least 4", "4 errors", "4+", "3 to 4", "A: 2\nB: 4")
        ),
    ],
)
def test_s2_a_rating_is_read_where_it_is_the_only_number_beside_its_scale(reply, answer):
    assert read(reply, POINTS).answer == answer


@pytest.mark.parametrize(
    ("reply", "answer"), [("*", "bad"), ("Answer: *", "bad"), ("?", "odd"), ("B", "odd"), ("ok", "ok")]
)
def test_s2_marks_of_judgment_are_options_too(reply, answer):
    assert read(reply, (("bad", "*"), ("odd", "?"), ("ok", "ok"))).answer == answer


def test_s2_a_reply_of_marks_alone_is_not_empty():
    assert (read("***", PAIR).unread, read(" \n", PAIR).unread, read("<s>", PAIR).unread) == (NONE, EMPTY, EMPTY)


@pytest.mark.parametrize("reply", ["<think>Answer: A", "[THINK] so A", "<|channel|>analysis<|message|>Answer: A"])
def test_s2_a_reply_that_ends_within_its_reasoning_says_so(reply):
    assert read(reply, PAIR).unread == UNENDED


@pytest.mark.slow
@pytest.mark.parametrize("part", ["answer is A or ", "B, ", "a 4 5 6 ", "<think>", "( ", "not ", "x y\n"])
def test_s2_a_long_reply_is_read_in_a_moment(part):
    started = time.process_time()
    read(part * (40_000 // len(part)), POINTS)
    assert time.process_time() - started < 5

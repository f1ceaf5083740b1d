"""The option that a reply names, or why it names none (docs/metrics.md, S2). The standard library only."""

import re
import unicodedata
from dataclasses import dataclass

from scoring.scorers.questions import Options, labels

# What a model writes before its answer: thoughts in tags, and channels.
_NAMES = "think(?:ing)?|thoughts?|reason(?:ing)?|reflection|analysis|scratchpad|rationale|chain[_ ]of[_ ]thought|cot"
_TAG = rf"(?:begin_of_|start_|seed:)?(?:{_NAMES})"
# <think>, [THINK], ◁think▷, <|begin_of_thought|>, <|START_THINKING|>.
_OPENED = re.compile(rf"[<\[◁]\|?\s*{_TAG}\b[^<>\[\]◁▷\n]*?\|?[>\]▷]", re.IGNORECASE)
_CLOSED = re.compile(rf"[<\[◁]\|?\s*(?:/\s*|end_of_|end_)(?:seed:)?(?:{_NAMES})\s*\|?[>\]▷]", re.IGNORECASE)
# gpt-oss, with its marks or with what is left of them where a server takes special tokens out.
_CHANNEL = re.compile(r"<\|channel\|>\s*(\w+)(?:\s[^<\n]*)?<\|message\|>", re.IGNORECASE)
_ENDED = re.compile(r"<\|(?:end|return|call|start|eot_id|im_end)\|>.*", re.DOTALL)
_BARE = re.compile(r"\s*analysis(?=[A-Z:\s])")
_FINAL_CHANNEL = re.compile(r"assistant\s*final\b|assistantfinal|^\s*final(?=[\sA-Z:])", re.MULTILINE)
# Letters of other alphabets that look like those shown, which a model of that language writes for them.
_ALIKE = str.maketrans("АВСЕНІΑΒΕΗΙ", "ABCEHIABEHI")
# One-letter words of some language: in running text they are no letters, unless what follows says so.
_WORDS = "AEIOUY"
_MARKUP = re.compile(r"[*`$]|\\[()\[\]]|(?<!_)__(?!_)|[\u200b-\u200f\u2060\ufeff\0]|^\s*#+\s", re.MULTILINE)
_STYLED = re.compile(r"\\(?:text\w*|math\w+|mbox|bf|rm)\s*\{([^{}]*)\}")
_BOXED = re.compile(r"\\f?boxed\s*\{([^{}]*)\}|<answer>\s*(.*?)\s*</answer>", re.DOTALL | re.IGNORECASE)
# Whatever the study's language, models also answer in others.
_ANSWER = re.compile(
    r"(?:(?<![^\W\d_])(?:answer|antwort|lösung|bewertung|réponse|respuesta|resposta|risposta|antwoord|svar(?:et)?|"
    r"vastaus|odpowied[źz]|odpov[ěe]ď|odgovor|одговор|ответ|відповідь|отговор|адказ|răspuns(?:ul)?|válasz|cevap|yanıt|"
    r"απάντηση|rating|score|choice|option|selection|verdict|decision|conclusion|вариант|выбор|оценка|jawaban|jawapan|"
    r"vastus|atbilde|atsakymas|erantzuna|jibu|đáp án|câu trả lời|final|"
    r"(?:i|we)(?:['’]d|['’]ll| would| will)? (?:choose|pick|select|prefer|say|vote for|go with|opt for)|"
    r"ich (?:wähle|nehme)|je choisis|elijo|escojo|scelgo|escolho|kies|я выбираю)(?![^\W\d_])"
    r"|答案|答え|回答|解答|正解|答复|選擇|选择|我选|选|정답|답변|대답|답|คำตอบ|उत्तर|जवाब|উত্তর|الإجابة|الجواب|إجابة|پاسخ|תשובה)",
    re.IGNORECASE,
)
_FINAL = re.compile(r"(?:final|endgültige?|finale?|définitive|окончательн\w+|最终|最終|최종)\W*$", re.IGNORECASE)
_NEGATED = re.compile(
    r"(?:\b(?:not|neither|nor|never|cannot|rather than|instead of|than|over|against|nicht|kein\w*|weder|noch|statt|als|"
    r"ni|pas|plutôt que|que|non|niet|nem|nie|не|ни|нет)|n['’]t|不是|不选|并非|ではなく|ではない)"
    r"(?:\W*(?:the|a|option|choice|letter|sentence|answer|necessarily|really|is|be|clearly|die|das|la|le|el))*[\s\"'“(]*$",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\s*(?:is|are|was|seems|ist|est|es|é|è)\s+(?:clearly |definitely )?(?:not|wrong|incorrect|false|worse|nicht|"
    r"falsch|faux|incorrecta?|errad[ao])\b|(?:不对|错)|\s*(?:isn|wasn)['’]t\b",
    re.IGNORECASE,
)
_NO_ANSWER = re.compile(
    r"(?:\b(?:no|not|cannot|kein\w*|nicht|aucune?|ninguna?|нет|не|без)|n['’]t|没有|不)(?:\s+[\w'’]+){0,4}\s*$", re.I
)
_BECAUSE = re.compile(
    r"[\s,]\s*(?:because|since|as|for|due to|given|weil|da|denn|parce que|car|porque|pues|perché|потому|поскольку|så|"
    r"omdat|want)\b|因为|因為|なぜなら|왜냐",
    re.IGNORECASE,
)
_CONNECTIVE = re.compile(
    r"\s+(?:is|seems|sounds|fits|makes|would|will|was|has|looks|appears|reads|because|since|as|and|or|over|rather|"
    r"instead|due|given|but|though|than|vs|weil|ist|wäre|klingt|und|oder|est|parce|ou|et|es|porque|o|y|è|é|perché|и|или|"
    r"потому|than)\b"
)
_CHANGED = re.compile(
    r"\b(?:no|nope|wait|actually|correction|sorry|instead|nein|doch|non|нет|стоп|moment)\b|不对|等等", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"[.!?;](?=[\s\"'”’)\]}]|$)|[。！？；]|\n")
_FILLER = re.compile(
    r"(?:\b(?:is|it['’]s|it is|would be|must be|should be|be|the|that|option|choice|letter|sentence|number|answer|"
    r"most likely|probably|likely|definitely|clearly|obviously|ist|lautet|wäre|est|es|é|è|er|är|on|jest|je|la|le|el|"
    r"die|das|der|buchstabe|opción|opção|opzione|вариант|это)\b|[\s:：=\-–—>→,.\"'“”«»(\[{是选为はがって은는이]|[*_])*",
    re.IGNORECASE,
)
# What stands between a letter and the words of its option.
_APART = re.compile(r"[\s.):,\-–—\"'”]*")
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "„": "“", "「": "」", "(": ")", "[": "]", "{": "}"}
# Beside these a letter stands alone: they are no letters of an alphabet that it could belong to.
_CJK = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_JOINED = rf"[^\W{_CJK}]"
_LETTER = re.compile(rf"(?<!{_JOINED})(?<![\w]['’-])([A-Za-zАВСЕНІΑΒΕΗΙ])(?!{_JOINED})(?!['’-]\w)")
_NUMBER = re.compile(
    r"(?<![\w.,])([-−+]?)(\d+)(?:[.,](\d+))?(?:\s*(?:/|out of|von|sur|de|su|из)\s*(\d+))?(?!\w|\s*[%％])"
)
# A claim is made in so many characters, and of many claims the last ones count.
LONGEST, CLAIMS = 400, 20
NONE, SEVERAL = "it names no option", "it names more than one option"
DENIED, CHANGED = "it says only which option is not the answer", "it changes its answer"
UNENDED, EMPTY = "it ends within its reasoning", "it is empty"
AT_ODDS = "its letter and its words are of different options"


@dataclass(frozen=True, slots=True)
class Reading:
    """The canonical value of the option that a reply names; where it names none, empty, and why."""

    answer: str = ""
    unread: str = ""


@dataclass(frozen=True, slots=True)
class _Mention:
    """One place of a text that names an option: its place in the order, or -1 for a number that is none of them."""

    start: int
    end: int
    place: int
    is_words: bool = False


def read(reply: str, options: Options) -> Reading:
    """The option that a reply names.

    >>> read("Dogs bark. Answer: b", (("yes", "Yes"), ("no", "No")))
    Reading(answer='no', unread='')
    >>> read("Answer: A or B", (("yes", "Yes"), ("no", "No")))
    Reading(answer='', unread='it names more than one option')
    """
    said = without_reasoning(reply)
    if said is None:
        return Reading(unread=UNENDED)
    text = _plain(said)
    if not text:
        return Reading(unread=EMPTY)
    found = _Reader(options).read(text)
    return Reading(unread=found) if isinstance(found, str) else Reading(options[found][0])


def _plain(reply: str) -> str:
    """Without markup, in one form of each letter; what is boxed or tagged becomes a line that says it is final."""
    text = unicodedata.normalize("NFKC", reply)
    while (bare := _STYLED.sub(r"\1", text)) != text:
        text = bare
    text = _BOXED.sub(lambda found: f"\nfinal answer: {(found[1] or found[2] or '').strip()}\n", text)
    return _MARKUP.sub("", text).strip()


class _Reader:
    def __init__(self, options: Options) -> None:
        self.letters = labels(len(options))
        self.words = [_folded(_plain(words)) for _, words in options]
        numbers = [re.match(r"\d+\b", words) for words in self.words]
        self.numbers = [int(one[0]) for one in numbers if one]
        if len(set(self.numbers)) != len(options):
            self.numbers = []
        names = {words: place for place, words in enumerate(self.words) if words}
        # The ends of a rating scale carry words beside their number.
        for place, words in enumerate(self.words):
            if self.numbers and (rest := re.sub(r"^\d+\W*", "", words)):
                names.setdefault(rest, place)
        self.names = dict(sorted(names.items(), key=lambda name: -len(name[0])))

    def read(self, text: str) -> int | str:
        """The place of the option named, or why none is."""
        marked = self._marked(text)
        lines = [line.strip()[:LONGEST] for line in text.splitlines() if line.strip()]
        alone = [place for line in lines[:1] + lines[-CLAIMS:] if (place := self._alone(line)) is not None]
        if marked:
            finals = [claim for is_final, claim in marked if is_final]
            found = (finals or [claim for _, claim in marked])[-1]
            # A last line that is nothing but an option is the answer where the words before it name several or none.
            last = self._alone(lines[-1])
            return last if last is not None and isinstance(found, str) and found != CHANGED else found
        if alone:
            return alone[-1] if len(set(alone)) == 1 else CHANGED
        for line in (lines[0], lines[-1]):
            if self._head(line) is not None:
                return self._claimed(line)
        return NONE

    def _marked(self, text: str) -> list[tuple[bool, int | str]]:
        """What is said after each word for an answer, and whether that is called final. Questions are left out."""
        marks = list(_ANSWER.finditer(text))
        found: list[tuple[bool, int | str]] = []
        for mark, until in list(zip(marks, [*(one.start() for one in marks[1:]), len(text)], strict=False))[-CLAIMS:]:
            rest = text[mark.end() : min(until, mark.end() + LONGEST)]
            claim = rest if re.search(r"\w", rest.split("\n", 1)[0]) else rest.lstrip("\n\r\t :：=-–—>→")
            end = _SENTENCE_END.search(claim, _taken(_FILLER, claim))
            if end and end[0] == "?":
                continue
            before = text[max(0, mark.start() - LONGEST) : mark.start()]
            is_final = mark[0].lower() == "final" or bool(_FINAL.search(before))
            read = self._claimed(claim)
            if read == NONE and not re.match(r"\W*[:：=]", rest):
                # The word alone: "an answer is hard to give".
                continue
            sentence = before[max((one.end() for one in _SENTENCE_END.finditer(before)), default=0) :]
            found.append((is_final, DENIED if _NO_ANSWER.search(sentence) and read != NONE else read))
        return found

    def _claimed(self, text: str) -> int | str:
        """The one option that a claim names, however it goes on."""
        mentions = self._mentions(text)
        if not mentions:
            return NONE
        first = mentions[0]
        ends = [
            found.start()
            for found in (_SENTENCE_END.search(text, first.end), _BECAUSE.search(text, first.end))
            if found
        ]
        end = min(ends, default=len(text))
        if self._set_off(text, first):
            end = min(end, first.end)
        here = [one for one in mentions if one.start <= end]
        kept = {one.place for one in here if not self._denied(text, one)}
        if not kept:
            return DENIED
        if -1 in kept:
            return NONE
        if len(kept) > 1:
            return SEVERAL
        [place] = kept
        rest = text[first.end :]
        next_at = _taken(_APART, rest)
        other = self._words_at(rest, next_at) or next(
            (one for one in self._numbers_in(rest) if one.start == next_at), None
        )
        if other is not None and other.place != place and not first.is_words:
            return AT_ODDS
        for change in _CHANGED.finditer(text, min(end, len(text))):
            later = [one.place for one in mentions if one.start >= change.end() and not self._denied(text, one)]
            if later and later[0] != place:
                return CHANGED
        return place

    def _set_off(self, text: str, mention: _Mention) -> bool:
        """Whether what follows is apart: a period, a bracket, a colon, or a comma that no further option follows."""
        rest = text[mention.end :]
        if re.match(r"\s*[.):\]}](?:\s|$|\D)", rest):
            return True
        comma = re.match(r"\s*,\s*", rest)
        near = mention.end + comma.end() + 12 if comma else 0
        return near > 0 and not any(mention.start < one.start <= near for one in self._mentions(text))

    def _denied(self, text: str, mention: _Mention) -> bool:
        return bool(_NEGATED.search(text[: mention.start]) or _DENIED.match(text[mention.end :])) or (
            # "neither A nor B": the first of the two has its own negation, "not A or B" has one for both.
            bool(
                re.search(
                    r"\b(?:not|neither|either of|weder|ni)\b.*\b(?:or|nor|noch|ni)\W*$", text[: mention.start], re.I
                )
            )
        )

    def _head(self, line: str) -> _Mention | None:
        """The option that a line begins with, if it does."""
        start = _taken(_FILLER, line)
        return next((one for one in self._mentions(line) if one.start <= start <= one.end and one.place >= 0), None)

    def _alone(self, line: str) -> int | None:
        """The option where the line is nothing else: its letter, its words, or both."""
        head = self._head(line)
        if (
            head is None
            or _NEGATED.search(line[: head.start])
            or re.search(r"\w", _FILLER.sub("", line[: head.start], count=1))
        ):
            return None
        rest = _folded(line[head.end :]).strip(" .):,;!-–—\"'”’]}>_")
        if not rest:
            return head.place
        return head.place if not head.is_words and self.words[head.place].strip(" .!?") == rest.strip(" .!?") else None

    def _mentions(self, text: str) -> list[_Mention]:
        """Every place that names an option, in order: words before letters and numbers, which may stand in them."""
        found: list[_Mention] = []
        head = _taken(_FILLER, text)
        for start in sorted({0, head, *(at.start() for at in re.finditer(r"(?<!\w)\S", text))}):
            if any(one.start <= start < one.end for one in found):
                continue
            one = self._words_at(text, start)
            if one and (
                start == head or start == 0 or " " in text[one.start : one.end].strip() or _is_quoted(text, one)
            ):
                found.append(one)
        taken = [range(one.start, one.end) for one in found]
        singles = [*self._letters_in(text), *self._numbers_in(text)]
        found += [one for one in singles if not any(one.start in span for span in taken)]
        return sorted(found, key=lambda one: one.start)

    def _words_at(self, text: str, start: int) -> _Mention | None:
        """An option's words in full at this place, set off from what follows."""
        for words, place in self.names.items():
            size = _length_of(text, start, words)
            if not size or (words.isdigit() and self.numbers):
                continue
            after = text[start + size :]
            if re.match(r"\s*(?:$|[^\w\s])|\s*\n", after) or (" " in words and not re.match(r"\w", after)):
                return _Mention(start, start + size, place, is_words=True)
        return None

    def _letters_in(self, text: str) -> list[_Mention]:
        found = []
        for one in _LETTER.finditer(text):
            bare = one[1].translate(_ALIKE)
            before, after = text[: one.start()], text[one.end() :]
            closed = bool(before) and _QUOTES.get(before[-1]) == after[:1] != ""
            wordlike = bare.upper() in _WORDS or bare != one[1]
            if wordlike and not closed and re.match(r"\s+[^\W\d_]", after) and not _CONNECTIVE.match(after):
                # An article, unless the option's own words follow it.
                upper = bare in self.letters
                own = upper and self._words_at(after, len(after) - len(after.lstrip()))
                if not (own and own.place == self.letters.index(bare)):
                    continue
            if bare.upper() in self.letters and (bare.isupper() or bare.isascii()):
                found.append(_Mention(one.start(), one.end(), self.letters.index(bare.upper())))
        return found

    def _numbers_in(self, text: str) -> list[_Mention]:
        found = []
        for one in _NUMBER.finditer(text) if self.numbers else ():
            sign, whole, part, of = one.groups()
            sign = "" if text[: one.start()].rstrip()[-1:].isdigit() else sign
            fits = sign in ("", "+") and not (part or "").strip("0") and (of is None or int(of) == max(self.numbers))
            known = fits and int(whole) in self.numbers
            found.append(_Mention(one.start(), one.end(), self.numbers.index(int(whole)) if known else -1))
        return found


def _taken(pattern: re.Pattern[str], text: str) -> int:
    """How many characters at the beginning of a text the pattern takes."""
    found = pattern.match(text)
    return found.end() if found else 0


def _is_quoted(text: str, mention: _Mention) -> bool:
    before = text[: mention.start].rstrip()[-1:]
    return before in _QUOTES and _QUOTES[before] in text[mention.end : mention.end + 2]


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .\"'“”")


def _length_of(text: str, start: int, words: str) -> int:
    """How many characters of the text at this place are these words, whatever their case and spaces; 0 if none."""
    pattern = r"\s+".join(map(re.escape, words.split()))
    found = re.compile(pattern, re.IGNORECASE).match(text, start)
    return found.end() - start if found else 0


def without_reasoning(reply: str) -> str | None:
    """What a reply says after its reasoning; None where it ends within it."""
    if channels := list(_CHANNEL.finditer(reply)):
        if channels[-1][1].lower() != "final":
            return None
        reply = _ENDED.sub("", reply[channels[-1].end() :])
    elif _BARE.match(reply):
        finals = list(_FINAL_CHANNEL.finditer(reply))
        if finals:
            reply = reply[finals[-1].end() :]
        elif re.match(r"\s*analysis(?=[A-Z])", reply):
            return None
    closings = list(_CLOSED.finditer(reply))
    openings = list(_OPENED.finditer(reply))
    said, depth, begin = "", 0, 0
    for mark in sorted([*openings, *closings], key=lambda found: found.start()):
        if mark in openings:
            said += reply[begin : mark.start()] if depth == 0 else ""
            depth += 1
        else:
            # A closing without an opening: the prompt had opened it, and all before was reasoning.
            said = "" if depth == 0 else said
            depth = max(0, depth - 1)
        begin = mark.end()
    return said + reply[begin:] if depth == 0 else None

"""The option that a reply names, or why it names none (docs/metrics.md, S2). The standard library only.

A reply is read where it has one of a few forms: the words before the option and after it are all known ones. What goes
on otherwise, in whatever language, names nothing: "Odpowiedź: A lub B" needs no list of words for "or".
"""

import json
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
_MARKUP = re.compile(
    r"[*`$✅✔☑👉➡\ufe0f]|\\[()\[\]]|(?<!_)__(?!_)|(?<!\w)_(?=[^\W_]+_(?!\w))|(?<=[^\W_])_(?!\w)"
    r"|[\u200b-\u200f\u2060\ufeff\0]|</?(?:b|strong|em|i|u|p|code)>|<br ?/?>|^\s*#+\s",
    re.MULTILINE | re.IGNORECASE,
)
_STYLED = re.compile(r"\\(?:text\w*|math\w+|mbox|bf|rm)\s*\{([^{}]*)\}")
_BOXED = re.compile(
    r"\\(?:f?boxed|fbox)\s*\{([^{}]*)\}|<((?:final_)?answer|choice|label|rating)>\s*(.*?)\s*</\2>",
    re.DOTALL | re.IGNORECASE,
)
# What may hold something else than the answer, and counts only where it holds one.
_HOLDING = re.compile(
    r"\\(?:f?boxed|fbox)\s*([A-Z0-9])(?=[\s.$*)\\\]]*\Z)|"
    r"<(output|response|result)>\s*((?:(?!<\2>).)*?)\s*</\2>|"
    r"<(?:(?:final_)?answer|choice|label|rating|output|response|result)>\s*([^<]*)\Z",
    re.DOTALL | re.IGNORECASE,
)
_FENCED = re.compile(r"\s*(?:```(?:json)?\s*)?(\{.*\})\s*(?:```)?\s*", re.DOTALL)
# The end of a turn, which servers without its template leave in; what follows is another's turn, made up.
_TURN = re.compile(
    r"(?<=\S)\s*(?:<\|(?:im_end|eot_id|eom_id|end|endoftext|end_of_text|return)\|>|</s>|<eos>|<end_of_turn>).*",
    re.DOTALL,
)
_SPECIAL = re.compile(r"(?:\s*<\|\w+\|>)+\s*$|^\s*(?:<\|im_start\|>\s*assistant|<start_of_turn>\s*model|<s>)\s*")
# Words for an answer. Whatever the study's language, models also answer in others.
_ANSWER_WORDS = (
    "answer|ans|antwort|lösung|bewertung|réponse|respuesta|resposta|risposta|antwoord|svar(?:et)?|vastaus|odpowied[źz]|"
    "odpov[ěe]ď|odgovor|одговор|ответ|відповідь|отговор|адказ|răspuns(?:ul)?|válasz|cevap|yanıt|απάντηση|ateb|rating|"
    "score|choice|verdict|decision|conclusion|note|вариант|выбор|оценка|jawaban(?:nya)?|jawapan|vastus|atbilde|atsakymas|"
    "erantzuna?|jibu(?: sahihi)? ni|đáp án|câu trả lời|"
    "so(?! (?:is|are|do|does|would|must|should|was))|therefore|thus|hence|daher|donc|"
    "(?:(?:i|we)(?:['’]d|['’]ll| would| will)? )?(?:choose|pick|select|prefer|say|vote for|go with|opt for|rate|give)|"
    "ich (?:wähle|nehme|würde|gebe)|je (?:choisis|dirais)|elijo|escojo|scelgo|escolho|ik kies(?: voor)?|"
    "я (?:выбираю|бы выбрал[аи]?)"
)
_ANSWER_SIGNS = (
    "答案|答え|回答|解答|正解|答复|評価|评分|選擇|选择|我选|应选|选|所以|因此|정답|답변|대답|답|평가|คำตอบ|उत्तर|जवाब|"
    "উত্তর|الإجابة|الجواب|إجابة|پاسخ|תשובה|პასუხია?|պատասխանը"
)
# What may stand beside them before the option. No word of these denies, compares or joins.
_KNOWN_WORDS = (
    "the|my|our|this|that|it|option|letter|sentence|number|label|assistant|final|correct|right|best|preferred|overall|"
    "most likely|probably|likely|definitely|clearly|obviously|actually|i (?:think|believe|guess)|"
    "i['’]m|i am|sure|(?:no )?wait|on reflection|to the question|in conclusion|"
    "is|it['’]s|that['’]s|would be|should be|must be|be|"
    "(?:is|it|this|this sentence|be|['’]s) an?"
    "(?: (?:tentative|cautious|hesitant|clear|definite|firm|strong|weak|solid|confident))?|"
    "(?:very )?clear(?=:)|c['’]est|l['’]option|die|das|der|"
    "satz|buchstabe|richtige|korrekte|beste|endgültige|ist|lautet|wäre|"
    "la|le|el|il|opción|opção|opzione|phrase|oración|bonne|correct[aeo]?|corrett?[ao]|est|es|és|é|è|é [ao]|"
    "a(?= (?:resposta|válasz|helyes))|prawidłowa|poprawna|to|jest|správná|je|helyes|doğru|η|το|είναι|σωστή|"
    "правильный|правильна|это|есть|corect|este|zuzena?|yr|cywir|yw|rétt|er|är|det|rigtige|riktige|rätta?|on|oikea|"
    "juiste|het|yang|benar|adalah|đúng|là|окончательный|endgültig"
)
_KNOWN_SIGNS = (
    "是|为|為|的|正确|正確|ที่ถูกต้อง|は|がって|은|는|最终|最終|최종|"
    "项|項|选项|選項|सही|الصحيحة|هي|صحیح|ה|הנכונה|היא|คือ|ถูกต้อง|სწორი|Ճիշտ"
)
_PAUSE = r"""[\s:：=\-–—→,，、."'“”‘’„«»「」(\[{#_]"""
_EDGE = r"(?<![^\W\d_])(?:{})(?![^\W\d_])"
_ANSWER = re.compile(unicodedata.normalize("NFKC", rf"{_EDGE.format(_ANSWER_WORDS)}|{_ANSWER_SIGNS}"), re.IGNORECASE)
_KNOWN = rf"{_EDGE.format(f'{_ANSWER_WORDS}|{_KNOWN_WORDS}')}|{_ANSWER_SIGNS}|{_KNOWN_SIGNS}"
_LEAD = re.compile(unicodedata.normalize("NFKC", rf"(?:{_PAUSE}|{_KNOWN})*"), re.IGNORECASE)
_FINAL = re.compile(r"\bfinal|endgültig|définitive|окончательн|最终|最終|최종|\bwait\b", re.IGNORECASE)
# What may stand after it: marks, that it is the answer, how sure, which it is not, and why.
_CLOSED_BY = r"""[\s)\]}>»”’"'.,:;!。．！_」।։]*"""
_OTHER = r"(?:the )?(?:option |sentence |satz )?[\"'“(]?[A-ZΑΒВ]\b[\"'”)]*"
_SAID = (
    r"(?:is|ist|est|es|è) (?:the |die |la )?(?:correct|right|best|richtige|bonne|mejor)? ?"
    r"(?:answer|choice|option|antwort|réponse)|"
    r"(?:is|ist) (?:correct|right|richtig)|"
    rf"(?:is|sounds|seems) (?:the )?(?:better|best|more (?:natural|acceptable|grammatical|plausible|likely))"
    rf"(?: one| sentence| option| choice)?(?: than {_OTHER})?|"
    r"wählen|nehmen|sagen|şıkkı(?:dır)?|da|է|है|است|の?(?:方|ほう)が(?:より)?自然(?:です|だ)?|です|だ|である|입니다|이다|이에요|を選(?:びます|ぶ|択します)|"
    r"points?|stars?|punkte?n?|(?:点|分)(?:です|だ)?|점(?:입니다)?"
)
_SURE = (
    r"[\s,(–—-]*(?:with |mit |confidence:? )?(?:about )?\d{1,3} ?[%％](?: confidence| certain(?:ty)?| sure| sicher)?"
)
_NOT_THAT = rf"[\s,(]*(?:and |und |et |а )?(?:not|rather than|instead of|over|nicht|не) {_OTHER}"
_WHY = (
    r"[\s,;:.(–—-]*(?:because|since|due to|weil|parce que|porque|perché|omdat|потому,? что|因为|因為|なぜなら|왜냐|"
    r"(?:explanation|reason|reasoning|justification|begründung|erklärung|explication|explicación|解释|理由)\s*[:：])|"
    r"\s*[,;(–—-]\s*(?:as (?:it|the|this)|denn|da|car|pues|poiché|bo|protože|mert|çünkü|koska|eftersom)\b"
)
_TAIL = re.compile(
    rf"{_CLOSED_BY}(?:{_SAID})?(?:{_SURE}|{_NOT_THAT})?{_CLOSED_BY}(?P<why>(?:{_WHY}).*)?", re.IGNORECASE | re.DOTALL
)
# Where a reply stops with an option that denies, behind these, more may have been denied: "The answer is not …".
_DENYING = re.compile(r"not|nicht|niet|ikke|inte|не", re.IGNORECASE)
_IS = re.compile(r"(?:\b(?:is|are|was|were|be|ist|war|est|es|er|är|это)|['’][sm])\s+$", re.IGNORECASE)
_AGREEING = {
    "yes": re.compile(r"\W*(?:it|this|that|they) (?:is|are|does|do|can|has)\W*", re.IGNORECASE),
    "no": re.compile(r"\W*(?:it|this|that|they) (?:is|are|does|do|can|has)(?: ?not|n['’]t)\W*", re.IGNORECASE),
}
_SENTENCE = re.compile(
    r"(?<=[.!?;])(?<![a-z]\.[a-z]\.)\s+|(?<=[。！？；])|[,，、]\s*(?=(?:so|therefore|thus|hence|daher|donc)\b|所以|因此)"
)
_LISTED = re.compile(r"([A-Z])[.):]\s+\w")
_PIECE = re.compile(r"[,;:–—…(]|\.\.\.|-\s|[.!?]\s|[。！？；，、]")
# What stands between a letter and the words of its option.
_APART = r"[\s.():,\-–—\"'“”]*"
# Beside these a letter stands alone: they are no letters of an alphabet that it could belong to.
_CJK = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_JOINED = rf"[^\W{_CJK}]"
_LETTER = re.compile(rf"(?<!{_JOINED})(?<![\w]['’-])([A-Za-zАВСЕНІΑΒΕΗΙ])(?!{_JOINED})(?!['’-]\w)")
_NUMBER = re.compile(
    rf"(?<!{_JOINED})(?<![.,])(?P<sign>[-−–+]?)(?<!\d-)(?P<whole>\d+)(?:[.,](?P<part>\d{{1,2}}))?"
    rf"(?:\s*(?:/|out of|von|sur|de|su|из)\s*(?P<of>\d+))?(?![.,]?\d|{_JOINED}|\s*[%％])"
)
# Of a reply so many characters are read, and so many lines before the last may contradict it. An option that stands
# further into a text is behind other words than those known.
LONGEST, LINES, LEAD = 2000, 20, 120
NONE, SEVERAL = "it names no option", "it names more than one option"
UNKNOWN = "its answer has no recognized form"
UNENDED, EMPTY = "it ends before an answer", "it is empty"


@dataclass(frozen=True, slots=True)
class Reading:
    """The canonical value of the option that a reply names; where it names none, empty, and why."""

    answer: str = ""
    unread: str = ""


@dataclass(frozen=True, slots=True)
class _Mention:
    """One place of a text that names an option, and the option's place in the order."""

    start: int
    end: int
    place: int


@dataclass(frozen=True, slots=True)
class _Claim:
    """An option that a text is read to name, the words before it, and the rest, from the option on."""

    place: int
    lead: str
    said: str


def read(reply: str, options: Options) -> Reading:
    """The option that a reply names.

    >>> read("Dogs bark. Answer: b", (("yes", "Yes"), ("no", "No")))
    Reading(answer='no', unread='')
    >>> read("Answer: A or B", (("yes", "Yes"), ("no", "No")))
    Reading(answer='', unread='it names more than one option')
    """
    visible = without_reasoning(reply)
    if visible is None:
        return Reading(unread=UNENDED)
    text = _SPECIAL.sub("", _TURN.sub("\n", visible)).lstrip()
    if not text:
        return Reading(unread=EMPTY)
    choice = _Reader(options).read(text)
    return Reading(unread=choice) if isinstance(choice, str) else Reading(options[choice][0])


def _plain(reply: str) -> str:
    """Without markup, in one form of each letter."""
    return _MARKUP.sub("", re.sub(r"(?<!\S)[\u2212–](?=\d)", "-", unicodedata.normalize("NFKC", reply))).strip()


class _Reader:
    def __init__(self, options: Options) -> None:
        self.letters = labels(len(options))
        self.words = [_folded(_plain(words)) for _, words in options]
        # Options such as "*" or "??" are all that a line says: markup and periods are no words.
        self.signs = {words.strip(): at for at, (_, words) in enumerate(options) if not re.search(r"\w", words)}
        numbers = [re.match(r"\d+\b(?![.,]\d)", words) for words in self.words]
        self.numbers = [int(one[0]) for one in numbers if one]
        if len(set(self.numbers)) != len(options):
            self.numbers = []
        names = {words: place for place, words in enumerate(self.words) if re.search(r"\w", words)}
        # The ends of a rating scale carry words beside their number.
        for place, words in enumerate(self.words):
            if self.numbers and (rest := re.sub(r"^\d+\W*", "", words)):
                names.setdefault(rest, place)
        self.names = [
            (_as_words(words), place) for words, place in names.items() if not (words.isdigit() and self.numbers)
        ]
        self.is_signed = any(re.match(r"-\d", words) for words in self.words)
        self.own = [
            re.compile(_APART + _as_words(words).pattern, re.IGNORECASE) if words else None for words in self.words
        ]
        # With these a line of a list begins, or one that is quoted; an option may itself.
        self.bullets = [mark for mark in "-•+>" if not any(words.lstrip().startswith(mark) for _, words in options)]

    def read(self, reply: str) -> int | str:
        """The place of the option named, or why none is."""
        last = reply.rstrip().splitlines()[-1]
        if (sign := _LEAD.sub("", last, count=1).strip()) in self.signs:
            return self.signs[sign]
        text = _field(reply)
        while (bare := _STYLED.sub(r"\1", text)) != text:
            text = bare
        if boxed := self._boxed(text):
            places = {claim.place for claim in boxed if claim}
            return SEVERAL if len(places) > 1 else places.pop() if None not in boxed else UNKNOWN
        lines = self._lines(text)
        whole = " ".join(" ".join(lines).split())
        if not whole:
            return NONE
        claim = self._form(whole) if len(whole) <= LONGEST else None
        if claim is None:
            claim = self._claim(lines[-1])
            if claim is None:
                return self._why_not(whole[-LONGEST:])
            if self._contradicts(lines[-LINES:], claim):
                return SEVERAL
        # A period, a line's or a turn's end, or emphasis on the word says that it is whole.
        is_cut = _DENYING.fullmatch(claim.said) and _IS.search(claim.lead) and reply.endswith(claim.said)
        # Of the options "is" and "are", "The answer is" has named none yet.
        is_begun = _IS.fullmatch(f"{claim.said.rstrip(' :')} ") and re.search(r"\w $", claim.lead)
        return UNKNOWN if is_cut or (is_begun and not _IS.search(claim.lead)) else claim.place

    def _lines(self, text: str) -> list[str]:
        """Without markup. What is quoted is the answer only where a reply begins so: else it may be what is judged."""
        plain = _plain(text)
        marks = "|".join(re.escape(mark) for mark in self.bullets if mark != ">" or plain.startswith(mark))
        bullet = rf"^[^\S\n]*(?:{marks})[^\S\n]+(?=[^\W\d_])"
        lines = (self._unscaled(line).strip() for line in re.sub(bullet, "", plain, flags=re.MULTILINE).splitlines())
        return [line for line in lines if re.search(r"\w", line)]

    def _boxed(self, text: str) -> list[_Claim | None]:
        """What each box or tag for an answer names, and those that may hold other things, where they name an option."""
        matches = [(one, pattern) for pattern in (_BOXED, _HOLDING) for one in pattern.finditer(text)]
        claims = [(self._form(_plain(one[one.lastindex or 0])), pattern) for one, pattern in matches]
        return [claim for claim, pattern in claims if claim or pattern is _BOXED]

    def _contradicts(self, lines: list[str], claim: _Claim) -> bool:
        """Whether lines before the last say otherwise. The options, told over before an answer, do not."""
        listed = [line for line in lines if (match := _LISTED.match(line)) and match[1] in self.letters]
        is_list = len({line[0] for line in listed}) > 1
        if is_list and lines[-1] in listed:
            return True
        claims = [self._claim(line) for line in lines[:-1] if not (is_list and line in listed)]
        is_final = bool(_FINAL.search(claim.lead))
        return any(one and one.place != claim.place and bool(_FINAL.search(one.lead)) >= is_final for one in claims)

    def _why_not(self, text: str) -> str:
        places = {one.place for one in self._mentions(text)}
        return (SEVERAL if len(places) > 1 else UNKNOWN) if places else NONE

    def _claim(self, line: str) -> _Claim | None:
        """What a line says: the whole of it, or its last sentence where that begins with a word for an answer."""
        if len(line) > LONGEST:
            line = line[-LONGEST:]
        if claim := self._form(line):
            return claim
        for start in [match.end() for match in _SENTENCE.finditer(line)][-LINES:]:
            if (claim := self._form(line[start:])) and _ANSWER.search(claim.lead):
                return claim
        return None

    def _form(self, text: str) -> _Claim | None:
        """The one option of a text in which all words before it and after it are known."""
        claims = [
            _Claim(one.place, text[: one.start], text[one.start :])
            for one in self._mentions(text, until=LEAD)
            if _LEAD.fullmatch(text[: one.start]) and self._ends(text[one.end :], one.place)
        ]
        return claims[0] if len({claim.place for claim in claims}) == 1 else None

    def _ends(self, rest: str, place: int) -> bool:
        """Whether a text may go on so after its option: of reasons, only the first sentence may name another one."""
        if (agreeing := _AGREEING.get(self.words[place])) and agreeing.fullmatch(rest):
            return True
        tail = _TAIL.fullmatch(rest)
        if not tail or not tail["why"]:
            return bool(tail)
        later = _SENTENCE.split(tail["why"].lstrip(" .,;:"), maxsplit=1)[1:]
        if any(one.place != place for text in later for one in self._mentions(text)):
            return False
        pieces = [self._form(piece) for piece in _PIECE.split(tail["why"])[1:] if piece.strip()]
        return all(piece is None or piece.place == place for piece in pieces)

    def _mentions(self, text: str, *, until: int = LONGEST) -> list[_Mention]:
        """Every place that names an option, but those within the words of another."""
        mentions = [
            _Mention(one.start(), self._with_letter(text, one.end(), place), place)
            for words, place in self.names
            for one in words.finditer(text)
            if not (self.is_signed and text[: one.start()].endswith("- "))
        ]
        for one in _LETTER.finditer(text):
            letter = one[1].translate(_ALIKE)
            is_letter = letter.upper() in self.letters and (letter.isupper() or letter.isascii())
            if is_letter and one[1] not in self.words:
                place = self.letters.index(letter.upper())
                own = self.own[place]
                with_words = own.match(text, one.end()) if own else None
                mentions.append(_Mention(one.start(), with_words.end() if with_words else one.end(), place))
        for one in _NUMBER.finditer(text) if self.numbers else ():
            whole = not (one["part"] or "").strip("0") and one["sign"] in ("", "+")
            if whole and int(one["of"] or max(self.numbers)) == max(self.numbers) and int(one["whole"]) in self.numbers:
                mentions.append(_Mention(one.start(), one.end(), self.numbers.index(int(one["whole"]))))
        separate: list[_Mention] = []
        for mention in sorted(mentions, key=lambda one: (one.start, -one.end)):
            last = separate[-1] if separate else None
            # What is one option's letter and another's word could be either.
            is_either = last and (last.start, last.end) == (mention.start, mention.end)
            if mention.start <= until and (not last or is_either or last.end <= mention.start):
                separate.append(mention)
        return separate

    def _with_letter(self, text: str, end: int, place: int) -> int:
        """Where a mention ends whose words may have their own letter behind them: `More likely (D)`."""
        behind = re.compile(rf"\s*\({self.letters[place]}\)").match(text, end)
        return behind.end() if behind else end

    def _unscaled(self, line: str) -> str:
        """Without the ends of the scale, as in "Rating (1-5)" or "on a scale from 1 to 5"."""
        if not self.numbers:
            return line
        ends = rf"{min(self.numbers)}\s*(?:-|–|—|to|bis)\s*{max(self.numbers)}"
        on = r"(?:on|auf) (?:a|the|my|einer|der)"
        points = rf"{max(self.numbers)}[- ]?(?:point|punkte?)[- ]?(?:scale|skala)"
        scale = rf"{on} (?:(?:scale|skala) (?:from|of|von) {ends}|{points})"
        ends = rf"(?:{ends}|{min(self.numbers)}\s*[=:][^()\d]*{max(self.numbers)}\s*[=:])"
        return re.sub(rf"\((?:[^()\d]*){ends}[^()\d]*\)|{scale}", "", line, flags=re.IGNORECASE)


def _field(reply: str) -> str:
    """What a reply in JSON gives for its answer; any other reply as it is."""
    fenced = _FENCED.fullmatch(reply)
    try:
        fields = json.loads(fenced[1]) if fenced else {}
    except ValueError:
        return reply
    answers = [str(value) for name, value in fields.items() if _ANSWER.fullmatch(name.replace("final_", ""))]
    return answers[0] if len(answers) == 1 else reply


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .\"'“”")


def _as_words(words: str) -> re.Pattern[str]:
    """These words, whatever their case and spaces."""
    return re.compile(r"(?<!\w)" + r"\s+".join(map(re.escape, words.split())) + r"(?!\w)", re.IGNORECASE)


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
    text, depth, begin = "", 0, 0
    for mark in sorted([*openings, *closings], key=lambda match: match.start()):
        if mark in openings:
            text += reply[begin : mark.start()] if depth == 0 else ""
            depth += 1
        else:
            # A closing without an opening: the prompt had opened it, and all before was reasoning.
            text = "" if depth == 0 else text
            depth = max(0, depth - 1)
        begin = mark.end()
    return text + reply[begin:] if depth == 0 else None

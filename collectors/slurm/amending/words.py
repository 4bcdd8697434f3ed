"""Single words of the scheduler's parameters, such as `SchedulerParameters.bf_window=2880`.

No slurm.conf has such lines. In a piece of one they say what becomes of one word, and of no other:
its value; `YES`: it stands there bare; `NO` or nothing: it does not stand there.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from collectors.slurm.amending.judging import WORDS
from collectors.slurm.coverage.findings import Said
from collectors.slurm.files.conf import Conf
from collectors.slurm.files.lines import Line, Pair
from collectors.slurm.text.passes import NUMBERS

BARE = "yes"
GONE = frozenset({"", "no"})
_NUMBER = re.compile(r"-?[0-9]{1,9}")


def in_lists(said: Iterable[Said]) -> Iterator[Said]:
    """Yield what is said, each single word as a list of it alone."""
    for one in said:
        if word := _word(one.key):
            yield replace(one, key=WORDS, value=_spelled(word, one.value) or word)
        else:
            yield one


def no_numbers(said: Iterable[Said]) -> Iterator[str]:
    """Yield, with their places, the words whose values should be numbers and are not."""
    for one in said:
        for word, value in _told(one):
            if word.lower() in NUMBERS and not _NUMBER.fullmatch(value):
                yield f"{one.place}: {WORDS}: {word}: expected a whole number, not {value!r}"


def gone(said: Iterable[Said]) -> Iterator[str]:
    """Yield the words that are not to stand there."""
    for one in said:
        if (word := _word(one.key)) and one.value.lower() in GONE:
            yield word


def completed(conf: Conf, told: str) -> Conf:
    """Return the files with the whole list for single words: as they say it, else as was told."""
    single = [(line, pair) for line in conf.lines for pair in line.pairs if _word(pair.key)]
    if not single:
        return conf
    value = conf.value(WORDS) or told
    for _, pair in single:
        value = _with(value, _word(pair.key), pair.value)
    others = (
        replace(line, pairs=tuple(pair for pair in line.pairs if not _word(pair.key)))
        for line in conf.lines
    )
    whole = Line(pairs=(Pair(WORDS, value),), place=single[-1][0].place)
    return replace(conf, lines=(*(line for line in others if line.pairs), whole))


def _told(one: Said) -> Iterator[tuple[str, str]]:
    """Yield the words that are to stand there, with their values."""
    if (word := _word(one.key)) and one.value.lower() not in GONE:
        yield word, one.value
    elif one.key.lower() == WORDS.lower():
        for told in filter(None, map(str.strip, one.value.split(","))):
            name, _, value = told.partition("=")
            yield name, value


def _word(key: str) -> str:
    """Return the single word that a key names; empty: it names none."""
    whole, _, word = key.partition(".")
    return word if whole.lower() == WORDS.lower() else ""


def _with(value: str, word: str, told: str) -> str:
    """Return a list of words in which one is as told, where it stood before or at the end."""
    words = [one.strip() for one in value.split(",") if one.strip()]
    names = [one.partition("=")[0].lower() for one in words]
    at = names.index(word.lower()) if word.lower() in names else len(words)
    words[at : at + 1] = filter(None, [_spelled(word, told)])
    return ",".join(words)


def _spelled(word: str, told: str) -> str:
    """Return a word as it stands in the list; empty: it does not."""
    if told.lower() in GONE:
        return ""
    return word if told.lower() == BARE else f"{word}={told}"

"""Text that means harm, and readers that are not ours to judge what outputs made of it."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from email import message_from_bytes, policy
from html.parser import HTMLParser
from random import Random

NAUGHTY = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    "\"' onmouseover='alert(1)' x=\"",
    "{{7*7}}${7*7}<%=7*7%>%n%s%1$n",
    "=cmd|' /C calc'!A0",
    "\t=1+1\r\n@SUM(A1)",
    "\x1b]0;title\x07\x1b[2J\x1b[31m\x9b31m\x90q\x9c",
    "\u202e\u2066gnp.exe\u2069\u200b\ufeff\u2028\u2029\x85",
    "\ud800 \udfff\udc80",
    "\x00\x01\x7f\ufffe\uffff\U0010ffff",
    "one\nevent: tick\ndata: {}\n\n",
    'x"} 1\nqueuecast_up 0\n# HELP',
    "]]><!ENTITY x SYSTEM 'file:///etc/passwd'>&x;",
    "a|b,c;d\\e",
    "ﷺ" * 2_000 + "é" * 9_000,
    "e" + "\u0301" * 500,
)
PIECES = (
    *NAUGHTY[:14],
    *map(chr, (*range(0x20), *range(0x7F, 0xA0))),
    *(
        "\ufdd0",
        "\ufdef",
        *(chr(plane << 16 | end) for plane in range(17) for end in (0xFFFE, 0xFFFF)),
    ),
    *(
        "\ud800",
        "\udbff",
        "\udc00",
        "\udfff",
        "\ud83d",
        "\U0001f4a9",
        "\ue000",
        "\U000f0000",
        "\u0378",
    ),
    *(
        "\u200b",
        "\u200e",
        "\u200f",
        "\u202a",
        "\u202d",
        "\u202e",
        "\u2066",
        "\u2069",
        "\u2028",
        "\u2029",
    ),
    *(
        "\u00ad",
        "\u061c",
        "\u180e",
        "\ufeff",
        "\u2060",
        "\u00a0",
        "\u3000",
        "\u115f",
        "\u3164",
        "\ufffc",
    ),
    *(
        "＜",
        "＞",
        "＂",
        "＇",
        "＆",
        "；",
        "＝",
        "＋",
        "－",
        "＠",
        "﹤",
        "﹥",
        "″",
        "ʹ",
        "ſ",
        "K",
        "İ",
    ),
    *(
        "<",
        ">",
        "&",
        '"',
        "'",
        "`",
        "/",
        "\\",
        "=",
        "+",
        "-",
        "@",
        "|",
        ",",
        ";",
        ":",
        "#",
        "%",
        "\t",
    ),
    *("\r", "\n", "\r\n", "\n\n", "\n\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85"),
    *("&lt;", "&#60;", "&#x3c;", "&#0;", "&amp;lt;"),
    *("&quot", "%3Cscript%3E", "\\u003c", "\\x3c"),
    *(
        "</title>",
        "</style>",
        "</textarea>",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<?php",
        "?>",
        "<svg/onload=",
    ),
    *(
        "javascript:alert(1)",
        "data:text/html,<b>",
        "//evil.example",
        "href=",
        'style="x:expression(1)"',
    ),
    *(
        "{{",
        "}}",
        "{%",
        "%}",
        "${",
        "#{",
        "<%",
        "%>",
        "{0}",
        "%(x)s",
        "%n",
        "%s%s",
        "$(id)",
        "`id`",
        "!!",
    ),
    *(
        "=1+1",
        "+1",
        "-1",
        "@SUM(1)",
        "=HYPERLINK(0)",
        "\t=1",
        " =1",
        "\r=1",
        "'=1",
        '"=1',
        ",=1",
        ";=1",
    ),
    *(
        "\x1b[2J",
        "\x1b]0;x\x07",
        "\x1b]8;;http://x\x1b\\",
        "\x1bP",
        "\x1b_",
        "\x1b^",
        "\x9b31m",
        "\x9d0;x\x9c",
    ),
    *(
        "\x1b[6n",
        "\x1b[?1049h",
        "\x1bc",
        "\x0e",
        "\x0f",
        "\x08\x08\x08",
        "\x7f",
        "\x05",
        "\x1b[8m",
        "\x1b#8",
    ),
    *(
        "\nFrom: x\n",
        "\r\nBcc: x@y\r\n",
        "\n.\n",
        "\r\n.\r\nQUIT\r\n",
        "\nSubject: x",
        "=?utf-8?q?=0AX: y?=",
    ),
    *(
        "\ndata: x",
        "\nid: 9",
        "\nretry: 1",
        ": x",
        'a{b="c"} 1',
        "\nup 0",
        "# TYPE x counter",
        "\\n",
        '\\"',
    ),
    *("../../etc/passwd", "/dev/stdin", "C:\\"),
    *("file:///", "~root", "nul", "CON", "-rf", "--help"),
    *(
        "None",
        "null",
        "true",
        "NaN",
        "undefined",
        "0",
        "1e999",
        "[]",
        "{}",
        "DROP TABLE x;--",
        "' OR 1=1",
    ),
    *("Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤", "e\u0301" * 9, "ﷺ", "🏳️‍🌈", "نص", "עברית", "テスト", "x" * 300, "é" * 300),
)
"""After public lists of naughty strings, and one of each kind that an output might act on."""


def texts(rng: Random, count: int) -> list[str]:
    """Return so many hostile strings: pieces by themselves, joined, and among harmless letters."""
    found = []
    for _ in range(count):
        kind = rng.random()
        if kind < 0.1:
            made = "".join(chr(_point(rng)) for _ in range(1 + int(rng.random() * 6)))
        else:
            made = "".join(
                PIECES[int(rng.random() * len(PIECES))]
                for _ in range(1 + int(3 * rng.random() ** 2))
            )
        if kind > 0.8:
            made = f"job{made}7"
        # Two halves of a pair that meet are one character to whoever reads them.
        found.append(made.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass"))
    return found


def _point(rng: Random) -> int:
    """Return any code point, one of the first planes in half of the cases."""
    return int(rng.random() * (0x110000 if rng.random() < 0.5 else 0x3000))


def unshown(text: str, but: str = "\n") -> list[str]:
    """Return the characters that a screen acts on or cannot show."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return [] if "\n" in but or "\n" not in text else ["\n"]
    bad = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    return [char for char in text if char not in but and unicodedata.category(char) in bad]


class Outline(HTMLParser):
    """The elements of a page with their attributes' names; its words."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, ...]] = []
        self.addresses: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self.elements.append((tag, *(name for name, _ in attrs)))
        self.addresses += [text or "" for name, text in attrs if name in ("href", "src", "action")]

    def handle_comment(self, data: str) -> None:
        self.elements.append(("!", data))

    def handle_decl(self, decl: str) -> None:
        self.elements.append(("!", decl))


def on_screen(sent: str) -> list[str]:
    """Return the lines that a terminal shows. Fails if it were told to do anything else."""
    if sent.isascii() and sent.replace("\n", "").isprintable():
        return sent.split("\n")
    lines, state = [""], "ground"
    for char in sent:
        if char in "\x1b\x9b\x9d\x90\x98\x9e\x9f":
            state = "command"
        elif char == "\n":
            lines.append("")
        elif unshown(char):
            state = "control"
        else:
            lines[-1] += char
        assert state == "ground", repr(sent)
    return lines


_SAMPLE = re.compile(r"([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)")
_LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)')
_ESCAPED = re.compile(r'\\(["\\n])')


def samples(exposed: str) -> Iterator[tuple[str, dict[str, str], float]]:
    """Yield the samples of an exposition in Prometheus' text form: name, labels, value.

    Fails for a line that is no sample, comment or blank. Source: Prometheus, exposition formats.
    """
    for line in exposed.split("\n"):
        if not line or line.startswith("#"):
            continue
        found = _SAMPLE.fullmatch(line)
        assert found is not None, repr(line)
        labels: dict[str, str] = {}
        at, told = 0, found[2] or ""
        while at < len(told):
            label = _LABEL.match(told, at)
            assert label is not None, repr(line)
            labels[label[1]] = _ESCAPED.sub(lambda one: "\n" if one[1] == "n" else one[1], label[2])
            at = label.end()
        yield found[1], labels, float(found[3])


def mail(sent: bytes) -> tuple[list[str], list[str]]:
    """Return the names of a mail's headers and the lines of its text. Fails if it has parts."""
    read = message_from_bytes(sent, policy=policy.SMTP)
    assert not read.is_multipart()
    assert not read.defects, read.defects
    return read.keys(), read.get_content().splitlines()

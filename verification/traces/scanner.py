"""Turn the text of a trace into numbers: the inner loop of the reader."""

from array import array
from collections.abc import Sequence

FIELDS = 18
"""So many numbers has a line of the Standard Workload Format."""
MOST_DIGITS = 15
SHORTEST_LINE = 36
"""Bytes of the shortest line: one digit and one byte after it for each field."""
BLANK = ord(" ")
TAB = ord("\t")
RETURN = ord("\r")
NEWLINE = ord("\n")
MINUS = ord("-")
POINT = ord(".")
ZERO = ord("0")
NINE = ord("9")
SEMICOLON = ord(";")
CLEAN = 0
COMMENT = 1
NO_NUMBER = 2
LONG_NUMBER = 3
TOO_FEW = 4
TOO_MANY = 5


class Scanner:
    """Reads lines of numbers, up to the first line that is not one.

    After each `scan` the wanted field f of row r, of `rows`, is `cells[f * capacity + r]`; `lines`
    is how many lines were passed, blank ones included.
    """

    def __init__(self, wanted: Sequence[int], most_bytes: int) -> None:
        self.capacity = most_bytes // SHORTEST_LINE + 1
        self.width = len(wanted)
        self.wanted = array("q", wanted)
        self.cells = array("q", bytes(8 * self.capacity * self.width))
        self.numbers = array("q", bytes(8 * FIELDS))
        self.text = b""
        self.rows = 0
        self.lines = 0
        self.fields = 0
        self.stop = 0

    def scan(self, text: bytes, begin: int, end: int) -> int:
        """Read the lines in [begin, end), the last of which ends; return where it stopped.

        That is `end`, or the beginning of a line for which see `at_comment` and `fault`.
        """
        self.text = text
        self.rows = 0
        self.lines = 0
        self.stop = CLEAN
        place = begin
        while place < end:
            after = self._line(place)
            if self.stop != CLEAN:
                break
            if self.fields > 0:
                self._keep()
            self.lines += 1
            place = after
        return place

    def at_comment(self) -> bool:
        """Return whether the scan stopped at a comment."""
        return self.stop == COMMENT

    def fault(self) -> str:
        """Return why the scan stopped at a bad line, as a clause; empty if it did not."""
        if self.stop == NO_NUMBER:
            return f"field {self.fields + 1} is not a number"
        if self.stop == LONG_NUMBER:
            return f"field {self.fields + 1} has more than {MOST_DIGITS} digits"
        if self.stop == TOO_FEW:
            return f"{FIELDS} fields expected, {self.fields} found"
        if self.stop == TOO_MANY:
            return f"{FIELDS} fields expected, more found"
        return ""

    def _line(self, begin: int) -> int:
        """Read the line that begins there into `numbers`; return where the next one begins."""
        place = begin
        self.fields = 0
        while True:
            byte = self.text[place]
            while byte in (BLANK, TAB, RETURN):
                place += 1
                byte = self.text[place]
            if byte == NEWLINE:
                break
            if self.fields == FIELDS:
                self.stop = TOO_MANY
            elif self.fields == 0 and byte == SEMICOLON:
                self.stop = COMMENT
            else:
                place = self._number(place)
            if self.stop != CLEAN:
                return place
            self.fields += 1
        if 0 < self.fields < FIELDS:
            self.stop = TOO_FEW
        return place + 1

    def _number(self, begin: int) -> int:
        """Read a number, leaving out its decimals; return the place after it."""
        negative = self.text[begin] == MINUS
        first = begin + 1 if negative else begin
        place = first
        value = 0
        byte = self.text[place]
        while ZERO <= byte <= NINE:
            value = value * 10 + byte - ZERO
            place += 1
            byte = self.text[place]
        digits = place - first
        if byte == POINT:
            place += 1
            byte = self.text[place]
            while ZERO <= byte <= NINE:
                place += 1
                byte = self.text[place]
        if digits == 0 or byte not in (BLANK, NEWLINE, TAB, RETURN):
            self.stop = NO_NUMBER
        elif digits > MOST_DIGITS:
            self.stop = LONG_NUMBER
        else:
            self.numbers[self.fields] = -value if negative else value
        return place

    def _keep(self) -> None:
        for index in range(self.width):
            self.cells[index * self.capacity + self.rows] = self.numbers[self.wanted[index]]
        self.rows += 1

"""Numbers of things as they are told to a person."""


def counted(number: int, noun: str) -> str:
    """Return `1 node` or `1,200 nodes`; for nouns whose plural ends in a mere s."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"

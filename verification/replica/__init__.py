"""The replica told all but the starts: JuFo's own test, and the same without its filter."""

"""A page that needs nothing else: no script, no font, no network."""

from importlib.resources import files

from verification.report.markup import Content, Markup, element


def standalone(title: str, *content: Content) -> str:
    """Return a whole page with the reports' style. What is not markup is escaped."""
    style = Markup(files("verification.report").joinpath("page.css").read_text(encoding="utf-8"))
    head = element(
        "head",
        Markup('<meta charset="utf-8">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup("""<meta http-equiv="Content-Security-Policy" content="default-src 'none'; """),
        Markup("""style-src 'unsafe-inline'">"""),
        element("title", title),
        element("style", style),
    )
    body = element("body", element("main", *content))
    return "<!doctype html>\n" + element("html", head, body, lang="en") + "\n"

"""Documents as programs other than ours write them, in pieces."""

TWO_PM = 1_795_183_320  # 2026-11-20 14:02:00 UTC
HEAD = '<lml:lgui xmlns:lml="http://eclipse.org/ptp/lml" version="1.1">\n'


def raw(*things: tuple[str, str, dict[str, str]]) -> bytes:
    """A document of objects given as (type, name, data)."""
    objects, infos = [], []
    for number, (type_, name, texts) in enumerate(things):
        objects.append(f'<object id="o{number}" name="{name}" type="{type_}"/>')
        data = (f'<data key="{key}" value="{text}"/>' for key, text in texts.items())
        infos += [f'<info oid="o{number}">', *data, "</info>"]
    lines = [HEAD, "<objects>", *objects, "</objects>", "<information>", *infos, "</information>"]
    return "\n".join([*lines, "</lml:lgui>"]).encode()


SYSTEM = ("system", "oak", {"system_time": "2026-11-20 14:02:00", "x_utc_offset": "+00:00"})
JOB = {
    "owner": "ana",
    "queue": "batch",
    "queuedate": "2026-11-20 13:00:00",
    "wall": "3600",
    "totalcores": "4",
}

"""The machine as flat arrays: what stays as it is while time moves."""

from collections.abc import Sequence
from itertools import accumulate, combinations

from predictor.engine import bits, codes, sets, store
from predictor.engine.tables import LayoutTables, Spread

Row = tuple[int, ...]


class Layout:
    """Nodes, shapes, kinds of request and reservations, ready for the inner loops.

    A set of nodes is a row of `words` words. Read-only once built; shared by all draws.
    """

    def __init__(self, tables: LayoutTables) -> None:
        self.nodes = tables.nodes
        self.bits = store.word_bits(tables.nodes)
        self.words = store.row_words(tables.nodes)
        self.classes = len(tables.capacity)
        self.kinds = len(tables.kinds)
        self.pools = len(tables.licenses)
        self.exact = int(tables.exact)
        self._lay_shapes(tables)
        self._lay_nodes(tables)
        self._lay_sleep(tables)
        self._lay_kinds(tables)
        self._lay_draws(tables)
        self._lay_fields(tables)
        self._lay_licenses(tables)
        self._lay_spreads(tables)
        self._lay_groups(tables)
        self._lay_switches(tables)
        self._lay_calendars(tables)

    def _lay_shapes(self, tables: LayoutTables) -> None:
        self.owned = int(len(tables.tenants) > 0)
        self.owners = self.owned > 0 and tables.owned and not tables.exact
        """Whether nodes belong to users as long as these have jobs there."""
        capacity, taken = _with_tenants(tables)
        self.resources = len(capacity[0]) if capacity else 0
        self.gres_first = 2
        self.gres_end = self.gres_first + tables.gres_kinds
        """The resources from `gres_first` up to there are generic ones."""
        self.shapes = len(tables.amounts) if tables.wanted is None else tables.wanted
        """The shapes that somebody may look for room for; those behind are only held."""
        self.capacity = store.filled([amount for row in capacity for amount in row])
        self.amounts = store.filled([amount for shape in taken for row in shape for amount in row])
        self.fits_empty = self.rows(
            [fits & tables.usable for fits in tables.fits_empty[: self.shapes]]
        )
        self.user = store.filled([one.user for one in tables.tenants])
        self.host = store.filled([one.crowd or one.user for one in tables.tenants])
        """By shape: of which number those must be, or whose, that keep others off its nodes."""
        self.alone = store.filled([int(one.alone) for one in tables.tenants])
        self.shares = store.filled([int(one.shares) for one in tables.tenants])
        self.yields = store.filled([int(one.yields) for one in tables.tenants])

    def _lay_nodes(self, tables: LayoutTables) -> None:
        self.node_class = store.filled(tables.node_class)
        makes = list(tables.make or [0] * tables.nodes)
        self.makes = max(makes, default=-1) + 1
        self.make = store.filled(makes)
        words = [set(makes[w : w + self.bits]) for w in range(0, tables.nodes, self.bits)]
        self.word_make = store.filled([there.pop() if len(there) == 1 else -1 for there in words])
        """By word: the make of its nodes; -1: they are of several."""
        self.cpus = store.filled(tables.cpus)
        self.cpus_before = store.filled(accumulate(tables.cpus, initial=0))
        self.depth = store.filled(tables.depth or [1] * tables.nodes)
        self.deepest = max(tables.depth, default=1)
        self.usable = self.rows([tables.usable])
        self.weight = store.filled(tables.weight)
        self.gaps = self.rows([tables.gaps])
        self.plans_by_weight = tables.plans_by_weight
        self.weights = len(tables.up_to_weight)
        self.up_to_weight = self.rows([*tables.up_to_weight])
        self.breaks = self.rows([tables.gaps | _steps(tables.weight)])
        """The nodes that do not continue a run of neighbours of one weight."""

    def _lay_sleep(self, tables: LayoutTables) -> None:
        """Lay out which nodes are not ready at once, and which may not stay so."""
        self.asleep = self.rows([tables.asleep])
        self.cleared_since = store.filled([span.since for span in tables.clearings])
        self.cleared_until = store.filled([span.until for span in tables.clearings])
        self.cleared_nodes = self.rows([span.nodes for span in tables.clearings])
        self.boots = any(tables.boot_s)
        """Whether any node has to boot before somebody can run there."""
        self.boot_s = store.filled(tables.boot_s, tables.nodes)
        self.dozes_s = store.filled(tables.dozes_s, tables.nodes)
        self.wakes_per_minute = tables.wakes_per_minute
        self.sleepless = len(tables.sleepless)
        self.sleepless_nodes = self.rows([nodes for nodes, _ in tables.sleepless])
        self.sleepless_count = store.filled([count for _, count in tables.sleepless])
        self.sleeps_after_s = store.filled(tables.sleeps_after_s, tables.nodes)
        self.doze = any(tables.sleeps_after_s)
        """Whether any node that is awake may fall asleep."""
        self.idle_since = store.filled(tables.idle_since)

    def _lay_kinds(self, tables: LayoutTables) -> None:
        kinds = tables.kinds
        self.shape = store.filled([kind.shape for kind in kinds])
        self.candidates = self.rows([kind.candidates for kind in kinds])
        self.first_word = store.filled([self._first_word(kind.candidates) for kind in kinds])
        self.end_word = store.filled([self._end_word(kind.candidates) for kind in kinds])
        self.required = self.rows([kind.required for kind in kinds])
        self.required_count = store.filled([kind.required.bit_count() for kind in kinds])
        self.pinned = store.filled([int(kind.pinned) for kind in kinds])
        self.takes_whole = store.filled([int(kind.whole) for kind in kinds])
        self.reservation = store.filled([kind.reservation for kind in kinds])
        self.contiguous = store.filled([int(kind.contiguous) for kind in kinds])
        self.allocation = store.filled([kind.allocation for kind in kinds])
        self.order = store.filled([kind.order * self.nodes for kind in kinds])
        """By kind: where in `orders` its own begins."""
        self.orders = store.filled([place for order in tables.orders for place in order])
        alike = _alike(tables) if tables.exact else []
        self.even = store.filled(
            [int(any(not kind.candidates & ~nodes for nodes in alike)) for kind in kinds]
        )
        """By kind: whether all its nodes weigh the same and always have as many CPUs free."""
        self.trimmed = store.filled([kind.trimmed for kind in kinds])
        self.unit = store.filled([kind.counted[0] for kind in kinds])
        self.memory_each = store.filled([kind.counted[1] for kind in kinds])
        self.quota = store.filled([kind.quota for kind in kinds])

    def _lay_draws(self, tables: LayoutTables) -> None:
        """Lay out which kinds are drawn to nodes for what these have."""
        kinds = tables.kinds
        drawn: dict[Sequence[int], int] = {kind.draw: 0 for kind in kinds if kind.draw}
        for number, row in enumerate(drawn):
            drawn[row] = number * self.classes
        self.draws = bool(drawn)
        """Whether any request is drawn to nodes for what they have."""
        self.draw = store.filled([drawn.get(kind.draw, -1) for kind in kinds])
        """By kind: where in `drawn` its own begins; -1: nowhere."""
        self.drawn = store.filled([steps for row in drawn for steps in row])
        self.draws_by_piece = store.filled([int(kind.draws_by_piece) for kind in kinds])

    def _lay_fields(self, tables: LayoutTables) -> None:
        kinds = tables.kinds
        self.members = self.rows([kind.members for kind in kinds])
        # Slurm 22.05 looks for openings before it asks which nodes of a partition would do.
        fields = {nodes: n for n, nodes in enumerate({kind.members: 0 for kind in kinds})}
        self.fields = len(fields)
        self.field_nodes = self.rows(list(fields))
        """The different sets of nodes that partitions have."""
        self.field = store.filled([fields[kind.members] for kind in kinds])
        """By kind: which of the `field_nodes` its partition has."""

    def _lay_licenses(self, tables: LayoutTables) -> None:
        self.licenses = store.filled(tables.licenses)
        self.license_start = store.starts([kind.licenses for kind in tables.kinds])
        wanted = [wanted for kind in tables.kinds for wanted in kind.licenses]
        self.license_pool = store.filled([pool for pool, _ in wanted])
        self.license_amount = store.filled([amount for _, amount in wanted])

    def _lay_spreads(self, tables: LayoutTables) -> None:
        found = [kind.spread for kind in tables.kinds if kind.spread is not None]
        numbers = iter(range(len(found)))
        self.spreads = len(found)
        self.spread = store.filled(
            [-1 if kind.spread is None else next(numbers) for kind in tables.kinds]
        )
        """By kind: its number among those whose nodes may give different numbers of CPUs; or -1."""
        self.largest = max((row[0] for row in tables.capacity), default=0)
        """No node has more CPUs."""
        self.portion_least = store.filled([least for one in found for least in one.least])
        self.portion_step = store.filled([step for one in found for step in one.step])
        behind = codes.SUMS * self.owned
        self.portion_each = store.filled(
            [each for one in found for row in one.each for each in (*row, *[0] * behind)]
        )
        self.cpus_each = store.filled(
            [
                cpus
                for one in found
                for cpus in (*(one.cpus_each or [1] * len(one.each[0])), *[1] * behind)
            ]
        )
        self.portion_pieces = store.filled([one.pieces for one in found])
        self.portion_task = store.filled([one.task for one in found])
        self.portion_unit = store.filled([one.unit for one in found])
        self.nodes_least = store.filled([one.nodes_least for one in found])
        self.nodes_wanted = store.filled([one.nodes_wanted for one in found])
        self.nodes_most = store.filled([one.nodes_most for one in found])
        self.whole = store.filled([int(one.whole) for one in found])
        spreads = (kind.spread for kind in tables.kinds)
        self.doubtful = store.filled(
            [int(one is not None and _is_doubtful(one)) for one in spreads]
        )
        """By kind: whether enough of room in all need not be enough as it is taken."""
        # Where several jobs may have a CPU, it is counted once for each of them.
        has = dict(zip(tables.node_class, tables.cpus, strict=True))
        everything = [has.get(number, 0) // self.deepest for number in range(self.classes)]
        self._lay_widths(tables, next((one.least for one in found if one.whole), everything))
        self.loose = store.filled([int(one.loose) for one in found])
        self.widest_first = store.filled([int(one.widest_first) for one in found])
        self.weakest_singly = store.filled([int(one.weakest_singly) for one in found])
        self.scatters = store.filled([int(one.scatters) for one in found])

    def _lay_widths(self, tables: LayoutTables, cpus: Sequence[int]) -> None:
        """Note which nodes have how many CPUs, told by class of nodes."""
        widths = sorted(set(cpus), reverse=True)
        of_node = [cpus[node_class] for node_class in tables.node_class]
        self.widths = len(widths)
        """How many numbers of CPUs nodes have, the largest first."""
        self.width_cpus = store.filled(widths)
        self.width_nodes = self.rows(
            [sum(1 << i for i, has in enumerate(of_node) if has == width) for width in widths]
        )

    def nodes_asked(self, kind: int, size: int) -> int:
        """Return how many nodes a request of that size asks for at least."""
        spread = self.spread[kind]
        return size if spread < 0 else self.nodes_least[spread]

    def nodes_needed(self, kind: int, size: int) -> int:
        """Return the least number of nodes that could do for a request of that size."""
        spread = self.spread[kind]
        if spread < 0:
            return size
        return max(self.nodes_least[spread], (size + self.largest - 1) // self.largest)

    def _lay_groups(self, tables: LayoutTables) -> None:
        groups = [kind.groups for kind in tables.kinds]
        quotas = [_quotas(wanted) for wanted in groups]
        self.group_start = store.starts(groups)
        self.group_nodes = self.rows([nodes for wanted in groups for nodes, _ in wanted])
        self.group_least = store.filled([least for wanted in groups for _, least in wanted])
        self.group_kind = store.filled([of for kind in tables.kinds for of in kind.group_kinds])
        self.quota_start = store.starts(quotas)
        self.quota_nodes = self.rows([nodes for wanted in quotas for nodes, _ in wanted])
        self.quota_least = store.filled([least for wanted in quotas for _, least in wanted])

    def _lay_switches(self, tables: LayoutTables) -> None:
        above = [switch.above for switch in tables.switches]
        self.switches = len(tables.switches)
        self.switches_count_cpus = tables.switches_count_cpus
        self.switches_count_down = tables.switches_count_down
        self.switches_max = store.filled([kind.switches_max for kind in tables.kinds])
        self.switch_nodes = self.rows([switch.nodes for switch in tables.switches])
        self.switch_above = store.filled(above)
        self.switch_leaf = store.filled([int(switch.is_leaf) for switch in tables.switches])
        self.switch_depth = store.filled([_depth(above, place) for place in range(len(above))])
        self.switch_height = store.filled(_heights(above))

    def _lay_calendars(self, tables: LayoutTables) -> None:
        eras = [era for calendar in tables.calendars for era in calendar.eras]
        self.calendars = len(tables.calendars)
        self.known_at = store.filled([calendar.known_at for calendar in tables.calendars])
        self.era_start = store.starts([calendar.eras for calendar in tables.calendars])
        self.era_at = store.filled([era.start_at for era in eras])
        self.era_only_begins = store.filled([int(era.only_begins) for era in eras])
        self.reservations = max((len(era.open_nodes) for era in eras), default=1)
        self.open_nodes = self.rows([nodes for era in eras for nodes in era.open_nodes])
        kept = [era.kept_nodes or era.open_nodes for era in eras]
        self.kept_nodes = self.rows([nodes for of_era in kept for nodes in of_era])
        self.shut_nodes = self.rows([era.shut_nodes for era in eras])
        self.early_nodes = self.rows([era.early_nodes for era in eras])
        self.keeps_licenses = any(era.kept_licenses for era in eras)
        nothing: Sequence[Row] = [(0,) * self.pools] * self.reservations
        kept = [of_era for era in eras for of_era in era.kept_licenses or nothing]
        self.kept_licenses = store.filled(
            [amount for of_era in kept for amount in of_era] if self.keeps_licenses else []
        )

    def rows(self, bitmaps: list[int]) -> store.Words:
        """Return the sets as rows, one after the other."""
        return store.rows(bitmaps, self.nodes)

    def _first_word(self, bitmap: int) -> int:
        stride = store.stride(self.words)
        return max(0, (bitmap & -bitmap).bit_length() - 1) // self.bits // stride * stride

    def _end_word(self, bitmap: int) -> int:
        stride = store.stride(self.words)
        return -(-bitmap.bit_length() // (self.bits * stride)) * stride

    def bitmap(self, row: store.Words, offset: int) -> int:
        """Return the set that a row of words beginning at `offset` holds."""
        return store.bitmap(row, offset, self.nodes)

    def count_outside(self, rows: store.Words, offset: int, closed: store.Words) -> int:
        """Return how many usable nodes of a row are not among the closed ones."""
        found = 0
        for w in range(self.words):
            found += bits.popcount(rows[offset + w] & self.usable[w] & ~closed[w])
        return found

    def has_reservations(self, calendar: int, at: int) -> bool:
        """Return whether the calendar knows of any reservation that is not over then."""
        return self.calendars > 0 and self.era_at[self.era_start[calendar + 1] - 1] > at

    def is_shut(self, kind: int, era: int) -> bool:
        """Return whether an era shuts out one of the kind that has no reservation.

        Then its whole partition is in maintenance, or others keep nodes to which it is pinned.
        """
        required, kept = kind * self.words, era * self.reservations * self.words
        if self.pinned[kind] and sets.exceeds(
            self.required, required, self.kept_nodes, kept, self.words
        ):
            return True
        shut = era * self.words
        return not sets.exceeds(self.members, kind * self.words, self.shut_nodes, shut, self.words)

    def is_gap(self, node: int) -> bool:
        """Return whether the node is no neighbour of the one before."""
        one = 1
        w = node // self.bits
        return (self.gaps[w] & (one << (node - w * self.bits))) != 0

    def has_licenses(self, kind: int) -> bool:
        """Return whether a request of the kind is for licenses, too."""
        return self.license_start[kind] < self.license_start[kind + 1]

    def owns(self, shape: int) -> bool:
        """Return whether nodes where somebody of the shape is are his to keep others off."""
        return self.alone[shape] > 0 and not self.shares[shape]

    def run_of(self, row: store.Words, size: int) -> int:
        """Return where the first run of so many neighbours in a row begins; -1: there is none."""
        one = 1
        length = 0
        for node in range(self.nodes):
            w = node // self.bits
            if row[w] & (one << (node - w * self.bits)):
                length = 1 if self.is_gap(node) else length + 1
                if length == size:
                    return node - size + 1
            else:
                length = 0
        return -1

    def era(self, calendar: int, at: int) -> int:
        """Return the number of the era of a calendar in force at `at`; 0 without calendars."""
        if self.calendars == 0:
            return 0
        e = self.era_start[calendar]
        while e + 1 < self.era_start[calendar + 1] and self.era_at[e + 1] <= at:
            e += 1
        return e

    def closes_at(self, calendar: int, reservation: int, at: int) -> int:
        """Return when a reservation ends that holds at `at`; -1: never, or there is none."""
        if reservation == 0 or self.calendars == 0:
            return -1
        for e in range(self.era_start[calendar], self.era_start[calendar + 1]):
            row = (e * self.reservations + reservation) * self.words
            found = 0
            for w in range(self.words):
                found += bits.popcount(self.open_nodes[row + w])
            if self.era_at[e] > at and found == 0:
                return self.era_at[e]
        return -1

    def edge_after(self, calendar: int, at: int) -> int:
        """Return when reservations, or what is known of them, change next; -1: never."""
        found = -1
        if self.calendars == 0:
            return found
        for e in range(self.era_start[calendar], self.era_start[calendar + 1]):
            if self.era_at[e] > at and (found < 0 or self.era_at[e] < found):
                found = self.era_at[e]
        if calendar + 1 < self.calendars:
            known_at = self.known_at[calendar + 1]
            if found < 0 or known_at < found:
                found = known_at
        return found


def _with_tenants(tables: LayoutTables) -> tuple[list[Row], list[list[Row]]]:
    """Return capacities and amounts, each row with sums over those who have the node behind it.

    That is how many they are, and the sums of their numbers and of the squares of these; then the
    same of those who keep others off, of whom the crowd's number counts if they are of one, and of
    those among them who own the nodes; and how many neither yield nor share CPUs. They are
    negative, as what is taken is subtracted.
    """
    capacity = [tuple(row) for row in tables.capacity]
    amounts = [[tuple(row) for row in shape] for shape in tables.amounts]
    if not tables.tenants:
        return capacity, amounts
    nobody = (0,) * codes.SUMS
    for place, one in enumerate(tables.tenants):
        sums, host = _sums(one.user), _sums(one.crowd or one.user)
        none = nobody[: len(sums)]
        own = sums + (host if one.alone or one.crowd else none)
        own += sums if one.alone and not one.shares else none
        own += (0 if one.yields or one.shares else -1,)
        amounts[place] = [row + own for row in amounts[place]]
    return [row + nobody for row in capacity], amounts


def _sums(number: int) -> Row:
    return -1, -number, -(number**2)


def _quotas(groups: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return of which sets how many nodes there must be for all groups to have theirs.

    Those are the groups, and two that overlap together. Source: Hall, On Representatives of
    Subsets, 1935.
    """
    pairs = combinations(groups, 2)
    both = [(a | b, least + other) for (a, least), (b, other) in pairs if a & b]
    return [*groups, *both]


def _depth(above: Sequence[int], switch: int) -> int:
    """Return how many switches are above one."""
    depth = 0
    while above[switch] >= 0:
        switch = above[switch]
        depth += 1
    return depth


def _heights(above: Sequence[int]) -> list[int]:
    """Return how many switches are at most below each, one under the other."""
    heights = [0] * len(above)
    for switch in range(len(above)):
        height, place = 0, above[switch]
        while place >= 0:
            height += 1
            heights[place] = max(heights[place], height)
            place = above[place]
    return heights


def _alike(tables: LayoutTables) -> list[int]:
    """Return the sets of nodes that weigh the same and have as many CPUs, at least one."""
    found: dict[tuple[int, int], bytearray] = {}
    for node, pair in enumerate(zip(tables.weight, tables.cpus, strict=True)):
        digits = found.setdefault(pair, bytearray(b"0" * tables.nodes))
        digits[-1 - node] = ord("1")
    return [int(digits, 2) for (_, cpus), digits in found.items() if cpus > 0]


def _is_doubtful(spread: Spread) -> bool:
    """Return whether nodes may give less than they could, to leave something for the next ones."""
    return not spread.whole and (spread.nodes_least > 1 or spread.nodes_most > 0)


def _steps(weight: Sequence[int]) -> int:
    """Return the nodes of another weight than the node before."""
    return sum(1 << node for node in range(1, len(weight)) if weight[node] != weight[node - 1])

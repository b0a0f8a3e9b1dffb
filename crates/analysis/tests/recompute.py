"""Computes the report of a run once more, from the words of the method alone, and compares.

    python3 recompute.py RUN.json REPORT.json

Standard library only. Covers children without a clock probe or with one of unknown length: valid visits, windows alone on the core by
readings that are compared within a process, the value of a launch, the net time with its interval; process effects and the ratio with its repeated intervals,
of the windows that both sides are compared in.
Exit status 1 at the first difference.
"""

import json
import math
import sys

TOLERANCE = 1e-9
# Two-sided levels by look for four launches a side and wave.
LEVELS = {
    "interval_90": [0.00441, 0.00915, 0.0148, 0.0212, 0.0286, 0.0371, 0.0465, 0.0566],
    "interval": [0.00222, 0.00443, 0.00705, 0.0100, 0.0134, 0.0171, 0.0213, 0.0257],
    "interval_99": [0.000444, 0.000850, 0.00132, 0.00181, 0.00235, 0.00292, 0.00360, 0.00437],
}
# The same of a look after which none will follow, in a run that has ended.
LAST = {
    "interval_90": [1.001e-1, 9.825e-2, 9.599e-2, 9.270e-2, 8.778e-2, 8.134e-2, 7.200e-2, 5.688e-2],
    "interval": [5.004e-2, 4.880e-2, 4.756e-2, 4.546e-2, 4.271e-2, 3.900e-2, 3.390e-2, 2.593e-2],
    "interval_99": [9.964e-3, 9.726e-3, 9.323e-3, 8.768e-3, 8.125e-3, 7.213e-3, 6.068e-3, 4.436e-3],
}
WEIGHTS = [0.03, 0.06, 0.08, 0.10, 0.13, 0.16, 0.20, 0.24]


def t_tail(t, df):
    """P(T > t) for t >= 0, by the continued fraction of the incomplete beta function."""
    x = df / (df + t * t)
    a, b = df / 2, 0.5
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) if x < 1 else 0.0

    def fraction(a, b, x):
        tiny = 1e-300
        c, d = 1.0, 1 - (a + b) * x / (a + 1)
        d = 1 / (d if abs(d) > tiny else tiny)
        h = d
        for m in range(1, 1000):
            for step in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                         -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
                d = 1 + step * d
                d = 1 / (d if abs(d) > tiny else tiny)
                c = 1 + step / c
                c = c if abs(c) > tiny else tiny
                h *= d * c
            if abs(d * c - 1) < 1e-16:
                break
        return h

    if x < (a + 1) / (a + b + 2):
        return 0.5 * front * fraction(a, b, x) / a
    return 0.5 * (1 - front * fraction(b, a, 1 - x) / b)


def t_critical(level, df):
    """t with P(|T| > t) = level."""
    low, high = 0.0, 1e6
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if 2 * t_tail(middle, df) > level else (low, middle)
    return 0.5 * (low + high)


def median(values):
    s = sorted(values)
    n = len(s)
    return s[n // 2] if n % 2 else 0.5 * (s[n // 2 - 1] + s[n // 2])


def mean(values):
    return math.fsum(values) / len(values)


def centre(values):
    if len(values) < 10:
        return median(values)
    cut = int(0.2 * len(values))
    return mean(sorted(values)[cut:len(values) - cut])


def gap(wall, cpu):
    return wall - cpu > max(0.02 * cpu, 10_000)


def actual(launch):
    return [s for s in launch["series"] if s["stage"] == "actual"]


def readings(series):
    """The readings of each iteration; of one that is not cut into windows there are none."""
    widths, count = series["columns"].get("width_ns", []), len(series["columns"]["elapsed_ns"])
    each = len(widths) // count
    return [widths[i * each:(i + 1) * each] for i in range(count)]


def probes(series):
    """The clock probes before and after each iteration; None where there are none."""
    columns = series["columns"]
    before, after = columns.get("probe_before_ns", []), columns.get("probe_after_ns", [])
    return list(zip(before, after)) or [None] * len(columns["elapsed_ns"])


def in_steps(series):
    """The readings of each iteration over the slower of the clock probes around it, which is at most a tenth slower than the other."""
    scaled = []
    for read, clocks in zip(readings(series), probes(series)):
        slower = 1.0 if clocks is None else min(max(clocks), 1.1 * min(clocks))
        scaled.append([r / slower for r in read])
    return scaled


def at_the_probes(series):
    """The readings of each iteration that the level goes by: those next to a clock probe, where both probes agree."""
    found = []
    for read, clocks in zip(readings(series), probes(series)):
        if clocks is None:
            found.append(read)
        elif len(read) > 1 and abs(math.log(clocks[1] / clocks[0])) <= 0.02:
            found.append([read[0] / clocks[0], read[-1] / clocks[1]])
        else:
            found.append([])
    return found


def operations_of(series, number, declared):
    """Operations of an invocation of an iteration: those that the child counted in it, else those that are declared."""
    counted = series["columns"].get("operations", [])
    return counted[number] if counted else declared


def visits_of(series):
    """The iterations of each visit, by number: those of one round are one."""
    found = {}
    for number, round_ in enumerate(series["round"]):
        found.setdefault(round_, []).append(number)
    return found


def level_of(launch):
    """The lowest place where the second lowest readings of visits (the lower of two) lie together, if it stands apart from what is above it."""
    lows, everything = [], []
    for series in actual(launch):
        each = at_the_probes(series)
        for numbers in visits_of(series).values():
            of_visit = sorted(r for n in numbers for r in each[n])
            lows += of_visit[len(of_visit) > 2:][:1]
        everything += [r for read in in_steps(series) for r in read]
    lows.sort()
    need = max(5, math.ceil(0.03 * len(lows)))
    if len(lows) < 20:
        return None

    def apart(values, level):
        near = sum(v <= 1.04 * level for v in values)
        return near > 0 and sum(v <= 1.10 * level for v in values) - near <= 0.5 * near

    for start in range(len(lows) - need + 1):
        if lows[start + need - 1] <= 1.02 * lows[start]:
            level = lows[start + need // 2]
            # What is above it must be far above it now and then, or it is no sharing.
            above = sorted(v for v in everything if v > 1.07 * level)
            many = len(above) >= 20 and len(above) >= 0.1 * len(everything)
            flat = many and above[int(0.9 * (len(above) - 1))] < 1.25 * level
            return level if apart(lows, level) and apart(everything, level) and not flat else None
    return None


def alone(levels, launch, declared):
    """Round -> mean time of the windows of a visit that were alone on the core, over the operations of an invocation in them, ns; of those
    that were shared from end to end; readings between alone ones, and those not alone; and the share of the visits that were alone."""
    level, found, shared, between, brief = levels[launch["id"]], {}, {}, 0, 0
    for series in actual(launch):
        times, width = series["columns"].get("window_ns", []), len(series["columns"].get("window_ns", []))
        each = width // len(series["round"])
        read = in_steps(series)
        for round_, numbers in visits_of(series).items():
            # The windows next to one in time may be of the iteration before or after.
            good = [r <= 1.07 * level for n in numbers for r in read[n]]
            kept, others = [], []
            for place, number in enumerate(numbers):
                for window in range(each):
                    at = place * (each + 1) + window
                    if all(good[max(at - 1, 0):at + 3]):
                        kept.append((times[number * each + window], operations_of(series, number, declared)))
                    elif not good[at] and not good[at + 1]:
                        others.append((times[number * each + window], operations_of(series, number, declared)))
            for windows, into in ((kept, found), (others, shared)):
                sums = [sum(column) for column in zip(*windows)]
                into[round_] = sums[0] / sums[1] if sums else None
            # Few windows that look alone in a visit are readings that were low by chance.
            if 2 * len(kept) < each * len(numbers):
                found[round_] = None
            for number in numbers:
                good = [r <= 1.07 * level for r in read[number]]
                for at in range(1, len(good) - 1):
                    if all(good[max(at - 2, 0):at] + good[at + 1:at + 3]):
                        between, brief = between + 1, brief + (not good[at])
    return found, shared, between, brief, sum(time is not None for time in found.values()) / len(found)


def visits(launch, operations):
    """Round -> (log time by the wall, log time by the CPU, valid, operations, invocations)."""
    found = {}
    for series in actual(launch):
        columns, read = series["columns"], readings(series)
        for round_, numbers in visits_of(series).items():
            each = series["invocations"] * sum(operations_of(series, n, operations) for n in numbers)
            wall, cpu = (sum(columns[name][n] for n in numbers) for name in ("elapsed_ns", "cpu_ns"))
            widths = sum(sum(read[n]) for n in numbers)
            cpu = cpu - widths if cpu > widths else cpu
            found[round_] = (math.log(wall / each), math.log(cpu / each), not gap(wall, cpu), each, series["invocations"] * len(numbers))
    return found


def launches_of(run, case, all_windows=False):
    """The launches that count, and of which windows their times are; of all windows where that is asked for."""
    operations = run["plan"]["cases"][case]["benchmark"].get("operations", 1)
    mine = [l for l in run["launches"] if l["case"] == case and l["outcome"] == "finished"]
    seen = [visits(l, operations) for l in mine]
    flat = [v for s in seen for v in s.values()]
    cpu = sum(v[2] for v in flat) < 0.6 * len(flat)
    own = {l["id"]: level_of(l) for l in mine}
    kept, levels, core, hidden, restless, shares = {}, {}, "not-judged", 0.0, set(), {}
    if any(own.values()) and not cpu:
        lowest = min(level for level in own.values() if level)
        levels = {i: level if level <= 1.05 * lowest else lowest for i, level in own.items() if level}
        found = {l["id"]: alone(levels, l, operations) for l in mine if l["id"] in levels}
        shares = {i: f[4] for i, f in found.items()}
        windows = {l["id"]: len(actual(l)[0]["columns"]["window_ns"]) // len(actual(l)[0]["round"]) for l in mine}
        each = {l["id"]: actual(l)[0]["invocations"] / windows[l["id"]] for l in mine if windows[l["id"]]}
        logs = [{i: {r: math.log(t / each[i]) for r, t in f[kind].items() if t} for i, f in found.items()} for kind in (0, 1)]
        kept = logs[0]
        slower = []
        for launch, rounds in zip(mine, seen):
            both = [[math.exp(v) for r, v in of.get(launch["id"], {}).items() if rounds[r][2]] for of in logs]
            if min(len(of) for of in both) >= 4:
                slower.append(math.log(median(both[1])) - math.log(median(both[0])))
        slow_down = math.exp(mean(slower)) if slower else 1.9

        # A neighbour who is too brief for the readings makes times too long by what he costs in the windows that show him.
        restless = {i for i, f in found.items() if f[2] >= 10 and f[3] > 0.1 * f[2]}
        good = []
        for launch, rounds in zip(mine, seen):
            of_launch = [r for r in kept.get(launch["id"], {}) if rounds[r][2]]
            if len(of_launch) >= max(1, min(4, len(rounds))) and launch["id"] not in restless:
                good.append(launch["id"])
        between, brief = (sum(found[i][kind] for i in good if i in found) for kind in (2, 3))
        hidden = 0.2 * brief / between * max(slow_down - 1, 0.0) if between else 0.0
        is_alone = brief <= 0.06 * between and len(good) >= max(1, min(4, len(mine))) and 3 * len(good) >= len(mine)
        core = "alone" if is_alone and not all_windows else "any"
    result = []
    for launch, rounds in zip(mine, seen):
        logs = {r: v[1] if cpu else v[0] for r, v in rounds.items() if cpu or v[2]}
        if core == "alone":
            if launch["id"] in restless:
                continue
            times = kept.get(launch["id"], {})
            logs = {r: times[r] for r in logs if r in times}
        if logs and len(logs) >= min(4, len(rounds)):
            result.append({"wave": launch["wave"], "logs": logs, "value": centre(list(logs.values())), "launch": launch,
                           "operations": sum(rounds[r][3] for r in logs) / sum(rounds[r][4] for r in logs),
                           "level": levels.get(launch["id"]) if core == "alone" else None, "cpu": cpu,
                           "share": shares.get(launch["id"])})
    return result, core, hidden if core == "alone" else 0.0


def loop_of(launches):
    """What the loop costs of an operation, and half its interval over launches."""
    empties, alone_empties = [], []
    for launch in launches:
        loops = [s for s in launch["launch"]["series"] if s["stage"] == "overhead"]
        if loops:
            # Before the last iterations it warmed up.
            times, read = loops[-1]["columns"]["elapsed_ns"], in_steps(loops[-1])
            tail = max(7, len(times) // 4)
            times, read = times[-tail:], read[-tail:]
            # Those alone on the core where there are two; the invocations are fixed, so that each is one window.
            level = launch["level"]
            good = [t for t, r in zip(times, read) if level and r and all(x <= 1.07 * level for x in r)]
            into = [empties, alone_empties] if len(good) > 1 else [empties]
            for found in into:
                found.append(median([e / loops[-1]["invocations"] for e in (good if len(good) > 1 else times)]) / launch["operations"])
    # Of the launches whose loops were alone, where there are four of them.
    empties = alone_empties if len(alone_empties) >= 4 else empties
    loop = median(empties) if empties else 0.0
    doubt = 0.0
    if len(empties) > 1:
        middle = mean(empties)
        doubt = math.sqrt(math.fsum((e - middle) ** 2 for e in empties) / (len(empties) - 1) / len(empties))
        doubt *= t_critical(0.05, len(empties) - 1)
    return loop, doubt


def may_be_one(base, new):
    """Of an empty loop alone all is in doubt."""
    return abs(base[0] - new[0]) <= math.hypot(base[1], new[1]) + base[0] + new[0]


def common_loop(loops):
    """Of all of them, with an error that holds each."""
    middle = mean([loop for loop, _ in loops])
    half = math.sqrt(math.fsum(doubt ** 2 for _, doubt in loops)) / len(loops)
    return middle, max(half, *(abs(loop - middle) for loop, _ in loops))


def net(launches, hidden, loop, doubt):
    values = [l["value"] for l in launches]
    # The interval is over the means of waves, from four on; else over launches. On the log scale, then the loop is taken off.
    waves = {}
    for l in launches:
        waves.setdefault((l["launch"]["group"], l["wave"]), []).append(l["value"])
    units = [mean(v) for v in waves.values()] if len(waves) >= 4 else values
    n, m = len(units), mean(units)
    error = math.sqrt(math.fsum((v - m) ** 2 for v in units) / (n - 1) / n)
    reach = t_critical(0.05, n - 1) * error
    time = math.exp(mean(values))
    # The error of the loop, by the launches too, is independent of that of the time: squares add up.
    lower = time - math.hypot(time - math.exp(m - reach - hidden), doubt) - loop
    upper = time + math.hypot(math.exp(m + reach) - time, doubt) - loop
    return time - loop, lower, upper


def effects(launches):
    """The level of each launch with what all share in a round taken out."""
    centres = [median(list(l["logs"].values())) for l in launches]
    shared = {}
    for round_ in {r for l in launches for r in l["logs"]}:
        here = [l["logs"][round_] - c for l, c in zip(launches, centres) if round_ in l["logs"]]
        shared[round_] = median(here) if len(here) > 1 else 0.0
    return [centre([y - shared[r] for r, y in l["logs"].items()]) for l in launches]


def within(squares, df, pair_squares, pair_df, inverse, overlap):
    """The variance of the sum of the differences of waves and its degrees of freedom: of the sides, less what pairs share."""
    shared = squares / df - pair_squares / (2 * pair_df) if pair_df else 0.0
    belief = pair_df / (pair_df + 1)
    part = belief * overlap / inverse
    freedom = 1 / ((1 - part ** 2) / df + part ** 2 / pair_df) if part else df
    return squares / df * inverse - belief * shared * overlap, freedom


def products(earlier, later):
    """Of the effects of launches with the same layout in two waves: their sum, how many it is expected to hold, and the weight of each."""
    both = earlier.keys() & later.keys()
    n, m, c = len(earlier), len(later), len(both)
    total = math.fsum((earlier[l] - mean(earlier.values())) * (later[l] - mean(later.values())) for l in both)
    return total, c * (1 - 1 / n - 1 / m + c / (n * m)), c / (n * m)


def again(sides, are_alike, most):
    """Twice the covariance of launches with the same layout in two waves, added over all such, of lists of {layout: effect}: of launches of a
    side, less that of launches of both sides where these have the same number of layouts. Its degrees of freedom."""
    def of(pairs):
        found, expected, weights = (sum(column) for column in zip((0, 0, 0), *pairs))
        return min(max(found / expected, -most), most) * weights if expected > 0 else 0.0

    alike = [products(e, l) for side in sides for at, l in enumerate(side) for e in side[:at]]
    a, b = sides
    across = [products(x[e], y[l]) for l in range(len(a)) for e in range(l) for x, y in ((a, b), (b, a))] if are_alike else []
    return 2 * max(max(of(alike), 0.0) - of(across), 0.0), sum(max(len({l for wave in side for l in wave}) - 1, 0) for side in sides)


def with_two_of_both(base, new):
    """The waves with two launches of each."""
    many = lambda side, wave: sum(l["wave"] == wave for l in side) >= 2
    return [wave for wave in sorted({l["wave"] for l in base}) if many(base, wave) and many(new, wave)]


def are_typical(base, new, made):
    """Whether a third of the waves that were made has two launches of each side, and both kept alike shares of their visits."""
    of_wave = lambda side, wave: [l["share"] for l in side if l["wave"] == wave]
    waves = sorted({l["wave"] for l in base} & {l["wave"] for l in new})
    enough = len(with_two_of_both(base, new))
    if not enough or 3 * enough < len(with_two_of_both(*made)):
        return False
    apart = [mean(of_wave(new, wave)) - mean(of_wave(base, wave)) for wave in waves]
    if len(apart) < 3:
        return True
    error = math.sqrt(math.fsum((d - mean(apart)) ** 2 for d in apart) / (len(apart) - 1) / len(apart))
    return not (abs(mean(apart)) > 0.2 and abs(mean(apart)) > 4 * error)


def in_rounds_of_both(a, b):
    """The launches of a wave with the rounds in which both sides have a valid visit."""
    rounds = [{r for l in side for r in l["logs"]} for side in (a, b)]
    both = rounds[0] & rounds[1]
    kept = [[{**l, "logs": {r: y for r, y in l["logs"].items() if r in both}} for l in side] for side in (a, b)]
    return [[l for l in side if l["logs"]] for side in kept]


def effects_of_wave(a, b, counts):
    """What a wave shows: the effects of both sides, the differences of its pairs, and layouts."""
    found = effects(a + b)
    sides = found[:len(a)], found[len(a):]
    # Launches of the two sides that were drawn as a pair.
    at = {l["launch"]["pair"]: e for l, e in zip(a, sides[0]) if "pair" in l["launch"]}
    pairs = [e - at[l["launch"]["pair"]] for l, e in zip(b, sides[1]) if l["launch"].get("pair") in at]
    drawn = [{l["launch"]["layout"] % count: e for l, e in zip(launches, side)} if count >= 8 else {}
             for launches, side, count in zip((a, b), sides, counts)]
    return sides, pairs, drawn


def between_waves(differences, inverse):
    """What the differences of waves vary by, and its degrees of freedom; a wave counts by its launches."""
    counts = [1 / i for i in inverse]
    middle = math.fsum(n * d for n, d in zip(counts, differences)) / math.fsum(counts)
    return math.fsum(n * (d - middle) ** 2 for n, d in zip(counts, differences)), len(differences) - 1


def look_at(waves, are_alike, is_only):
    """The estimate of so many waves, its standard error and its degrees of freedom, and the differences of the waves.
    `is_only`: no other look is taken."""
    squares, df_sides, inverse, overlap, pair_squares, pair_df = 0.0, 0, 0.0, 0.0, 0.0, 0
    drawn, differences = ([], []), []
    for (ea, eb), pairs, layouts in waves:
        differences.append(mean(eb) - mean(ea))
        for side in (ea, eb):
            squares += math.fsum((e - mean(side)) ** 2 for e in side)
        if pairs:
            pair_squares += math.fsum((d - mean(pairs)) ** 2 for d in pairs)
            pair_df += len(pairs) - 1
            overlap += 2 * len(pairs) / (len(ea) * len(eb))
        for side, of_side in zip(drawn, layouts):
            if of_side:
                side.append(of_side)
        df_sides += len(ea) + len(eb) - 2
        inverse += 1 / len(ea) + 1 / len(eb)
    count = len(waves)
    if is_only and not overlap and count > 1:
        of_waves_squares, of_waves_df = between_waves(differences, [1 / len(ea) + 1 / len(eb) for (ea, eb), _, _ in waves])
        squares, df_sides = squares + of_waves_squares, df_sides + of_waves_df
    variance, df = within(squares, df_sides, pair_squares, pair_df, inverse, overlap)
    if any(drawn):
        same, of_layouts = again(drawn, are_alike, squares / df_sides)
        df = (variance + same) ** 2 / (variance ** 2 / df + same ** 2 / of_layouts) if same else df
        variance += same
    return math.fsum(differences) / count, math.sqrt(variance) / count, df, differences


class Overhead:
    """The loop around both bodies, of which the ratio is without."""

    def __init__(self, loops, alike, base_ns):
        (base, base_half), (new, new_half) = loops
        self.common = alike and may_be_one(*loops)
        share = lambda value, half: [max(value - half, 0) / base_ns, value / base_ns, (value + half) / base_ns]
        both = share(*(loops[0] if loops[0] == loops[1] else common_loop(loops)))
        self.base, self.new = (both, both) if self.common else (share(base, base_half), share(new, new_half))

    @staticmethod
    def of(x, base, new):
        return math.log(max(math.exp(x) - new, 1e-3 * math.exp(x))) - math.log(1 - base)

    def net(self, x):
        return self.of(x, self.base[1], self.new[1])

    def slope(self, x):
        return math.exp(x) / (math.exp(x) - self.new[1])

    def error(self, x):
        away = lambda base, new: abs(self.of(x, base, new) - self.net(x))
        if self.common:
            return max(away(end, end) for end in (self.base[0], self.base[2]))
        of_base = max(away(self.base[end], self.new[1]) for end in (0, 2))
        return math.hypot(of_base, max(away(self.base[1], self.new[end]) for end in (0, 2)))

    def interval(self, x, lower, upper):
        error = self.error(x)
        low = self.net(x) - math.hypot(self.net(x) - self.net(lower), error)
        high = self.net(x) + math.hypot(self.net(upper) - self.net(x), error)
        if self.common:
            low = max(low, min(self.of(lower, share, share) for share in self.base))
            high = min(high, max(self.of(upper, share, share) for share in self.base))
        return low, high

    def p(self, x, reach, df, p):
        """From the 95 % interval of the ratio with the loop, where no change without it is a change with it."""
        if self.common:
            return p
        whole = math.hypot(reach / t_critical(0.05, df) * self.slope(x), self.error(x) / 1.959964)
        return min(1, 2 * t_tail(abs(self.net(x)) / whole, df))


def ratio(base, new, looks, layouts, all_windows, overhead, minimum=None):
    """`minimum`: the effect that counts, where the run has ended; a comparison that is unclear then has had its last look."""
    counts, are_alike = [len(paths) for paths in layouts], len(layouts[0]) == len(layouts[1])
    in_wave = lambda wave: [[l for l in side if l["wave"] == wave] for side in (base, new)]
    numbers = [wave for wave in sorted({l["wave"] for l in base}) if min(map(len, in_wave(wave))) >= 2]
    both = lambda a, b: in_rounds_of_both(a, b) if all_windows else (a, b)
    waves = [effects_of_wave(*both(*in_wave(wave)), counts) for wave in numbers]
    p = before = 1.0
    for look in range(1, len(waves) + 1):
        # A wave without a side adds nothing but its number.
        whole = [wave for wave in waves[:look] if all(wave[0])]
        if not whole:
            continue
        estimate, error, df, differences = look_at(whole, are_alike, not looks)
        before = p
        p = min(p, 2 * t_tail(abs(estimate / error), df) / WEIGHTS[look - 1])
    # The only look at a plan of so many waves spends the whole level. The differences of four waves may be what makes it wide.
    count, waves_error = len(differences), 0.0
    if not looks:
        p = 2 * t_tail(abs(estimate / error), df)
        if count >= 4:
            waves_error = math.sqrt(math.fsum((d - estimate) ** 2 for d in differences) / (count - 1) / count)
            p = max(p, 2 * t_tail(abs(estimate / waves_error), count - 1))
    def reach_at(level):
        return t_critical(level, df) * error

    of_look = {name: levels[look - 1] for name, levels in LEVELS.items()} if looks else {}
    if looks and minimum is not None and look > 3:
        # As many as are compared here are no suite, so that nothing but the waves can object.
        within = lambda name: overhead.interval(estimate, estimate - reach_at(of_look[name]), estimate + reach_at(of_look[name]))
        is_same = max(map(abs, within("interval_90"))) < minimum
        between = math.sqrt(math.fsum((d - estimate) ** 2 for d in differences) / (count - 1) / count)
        agree = 2 * t_tail(abs(estimate) / between, count - 1) <= 0.01
        lower, upper = within("interval_99")
        is_other = abs(overhead.net(estimate)) > minimum and (lower > 0 or upper < 0) and agree
        if not is_same and not is_other:
            of_look = {name: max(levels[look - 1], LEVELS[name][look - 1]) for name, levels in LAST.items()}
            p = min(before, 2 * t_tail(abs(estimate / error), df) / (1 - math.fsum(WEIGHTS[:look - 1])))
    result = {"ratio": math.exp(overhead.net(estimate))}
    for name in LEVELS:
        level = of_look[name] if looks else {"interval_90": 0.10, "interval": 0.05, "interval_99": 0.01}[name]
        reach = reach_at(level)
        if waves_error:
            reach = max(reach, t_critical(level, count - 1) * waves_error)
        if name == "interval":
            result["p"] = overhead.p(estimate, reach, df, p)
        lower, upper = overhead.interval(estimate, estimate - reach, estimate + reach)
        result[name] = {"lower": math.exp(lower), "upper": math.exp(upper)}
    return result


def main():
    run, report = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
    compared = 0

    def same(name, mine, theirs):
        nonlocal compared
        compared += 1
        if abs(mine - theirs) > TOLERANCE * max(abs(mine), abs(theirs), 1e-9):
            sys.exit(f"{name}: recomputed {mine!r}, reported {theirs!r}")

    cases = range(len(run["plan"]["cases"]))
    counts = [any(s["columns"].get("operations") for l in run["launches"] if l["case"] == c for s in l["series"]) for c in cases]
    done = lambda c: None if counts[c] else run["plan"]["cases"][c]["benchmark"].get("operations", 1)
    shown_loops = {c: loop_of(launches_of(run, c)[0]) for c in cases}
    for group in run["plan"]["groups"]:
        base = group.get("baseline")
        if base is None:
            continue
        alike = [c for c in group["cases"] if done(c) == done(base) and may_be_one(shown_loops[base], shown_loops[c])]
        shown_loops.update(dict.fromkeys(alike, common_loop([shown_loops[c] for c in alike])))

    for case in report["cases"]:
        index = case["case"]
        told = case["outcome"]
        launches, core, hidden = launches_of(run, index)
        if core != (told["core"] or {"times": "not-judged"})["times"]:
            sys.exit(f"case {index}: times are {core}, not {told['core']}")
        if len(launches) != len(told["launches"]):
            sys.exit(f"case {index}: {len(launches)} launches count, not {len(told['launches'])}")
        for mine, theirs in zip(launches, told["launches"]):
            same(f"case {index} launch {theirs['launch']}", math.exp(mine["value"]), theirs["raw_ns"])
        value, lower, upper = net(launches, hidden, *shown_loops[index])
        same(f"case {index} time", value, told["time"]["value_ns"])
        same(f"case {index} lower", lower, told["time"]["interval"]["lower"])
        same(f"case {index} upper", upper, told["time"]["interval"]["upper"])
        theirs = told["ratio"]
        if theirs is None:
            continue
        base, base_core, _ = launches_of(run, theirs["baseline"])
        # Where one side is on CPU time, both may be: not covered here.
        if base[0]["cpu"] != launches[0]["cpu"]:
            continue
        # Both sides in windows of one kind.
        made = [[l for l in run["launches"] if l["case"] == c and l["outcome"] == "finished"] for c in (theirs["baseline"], index)]
        is_alone = core == base_core == "alone" and are_typical(base, launches, made)
        is_other = core != base_core or core == "alone" and not is_alone
        if not is_alone:
            base, launches = (launches_of(run, c, True)[0] for c in (theirs["baseline"], index))
        all_windows = not is_alone and {base_core, core} != {"not-judged"}
        policy = run["plan"]["policy"]
        minimum = math.log1p(policy["minimum_effect"]) if run["status"] == "finished" else None
        layouts = [run["artifacts"][run["plan"]["cases"][c]["artifact"]].get("layouts", []) for c in (theirs["baseline"], index)]
        # Of the times that are shown, unless the ratio is of others.
        loops = [loop_of(of) for of in (base, launches)] if is_other else [shown_loops[c] for c in (theirs["baseline"], index)]
        overhead = Overhead(loops, done(theirs["baseline"]) == done(index), math.exp(mean([l["value"] for l in base])))
        mine = ratio(base, launches, policy["waves_min"] < policy["waves_max"], layouts, all_windows, overhead, minimum)
        same(f"case {index} ratio", mine["ratio"], theirs["ratio"])
        same(f"case {index} p", mine["p"], theirs["p"])
        for name in LEVELS:
            for end in ("lower", "upper"):
                same(f"case {index} {name} {end}", mine[name][end], theirs[name][end])
    print(f"{compared} numbers agree")


if __name__ == "__main__":
    main()

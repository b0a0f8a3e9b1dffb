"""The seven tasks in Python; README.md has what they are."""

import collections
import hashlib
import json
import math

import tare


def numbers(state):
    """The same numbers in all languages."""
    while True:
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        yield state


@tare.bench(group="parse64", name="python")
def parse():
    numbers_ = numbers(1)
    texts = [str(100000000 + next(numbers_) % 900000000) for _ in range(64)]
    yield lambda: sum(map(int, texts))


@tare.bench(group="sha256", name="python")
def sha256():
    data = bytes(i % 251 for i in range(10000))
    yield lambda: int.from_bytes(hashlib.sha256(data).digest()[:4], "big")


@tare.bench(group="sort64", name="python")
def sort():
    numbers_ = numbers(2)
    lists = [[next(numbers_) >> 4 for _ in range(64)] for _ in range(64)]

    def medians():
        total = 0
        for numbers in lists:
            total += sorted(numbers)[32]
        return total

    yield medians


@tare.bench(group="json", name="python")
def parse_json():
    item = '{{"id":{0},"name":"item {0}","price":{0}.25,"tags":["red","green"],"active":{1}}}'
    text = "[" + ",".join(item.format(i, "true" if i % 2 == 0 else "false") for i in range(50)) + "]"

    def total():
        found = 0
        for item in json.loads(text):
            found += item["id"] + item["price"] + len(item["tags"]) + item["active"]
        return found

    yield total


class Body:
    __slots__ = ("x", "y", "z", "vx", "vy", "vz", "mass")

    def __init__(self, x, y, z, vx, vy, vz, mass):
        self.x, self.y, self.z = x, y, z
        self.vx, self.vy, self.vz = vx, vy, vz
        self.mass = mass


SOLAR_MASS = 4 * math.pi * math.pi
PLANETS = [
    (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0),
    (
        4.84143144246472090e00,
        -1.16032004402742839e00,
        -1.03622044471123109e-01,
        1.66007664274403694e-03,
        7.69901118419740425e-03,
        -6.90460016972063023e-05,
        9.54791938424326609e-04,
    ),
    (
        8.34336671824457987e00,
        4.12479856412430479e00,
        -4.03523417114321381e-01,
        -2.76742510726411542e-03,
        4.99852801234917238e-03,
        2.30417297573763929e-05,
        2.85885980666130812e-04,
    ),
    (
        1.28943695621391310e01,
        -1.51111514016986312e01,
        -2.23307578892655734e-01,
        2.96460137564761618e-03,
        2.37847173959480950e-03,
        -2.96589568540237556e-05,
        4.36624404335156298e-05,
    ),
    (
        1.53796971148509165e01,
        -2.59193146099879641e01,
        1.79258772950371181e-01,
        2.68067772490389322e-03,
        1.62824170038242295e-03,
        -9.51592254519715870e-05,
        5.15138902046611451e-05,
    ),
]


def planets():
    year = 365.24
    return [Body(x, y, z, vx * year, vy * year, vz * year, mass * SOLAR_MASS) for x, y, z, vx, vy, vz, mass in PLANETS]


def advance(bodies, dt):
    for i, a in enumerate(bodies):
        for b in bodies[i + 1 :]:
            dx, dy, dz = a.x - b.x, a.y - b.y, a.z - b.z
            square = dx * dx + dy * dy + dz * dz
            scale = dt / (square * math.sqrt(square))
            a.vx -= dx * b.mass * scale
            a.vy -= dy * b.mass * scale
            a.vz -= dz * b.mass * scale
            b.vx += dx * a.mass * scale
            b.vy += dy * a.mass * scale
            b.vz += dz * a.mass * scale
    for a in bodies:
        a.x += dt * a.vx
        a.y += dt * a.vy
        a.z += dt * a.vz


def energy(bodies):
    total = 0.0
    for i, a in enumerate(bodies):
        total += 0.5 * a.mass * (a.vx * a.vx + a.vy * a.vy + a.vz * a.vz)
        for b in bodies[i + 1 :]:
            dx, dy, dz = a.x - b.x, a.y - b.y, a.z - b.z
            total -= a.mass * b.mass / math.sqrt(dx * dx + dy * dy + dz * dz)
    return total


@tare.bench(group="nbody", name="python")
def nbody():
    bodies = planets()
    for _ in range(100):
        advance(bodies, 0.01)
    return energy(bodies)


@tare.bench(group="words", name="python")
def words():
    numbers_ = numbers(3)
    text = " ".join(f"word{(next(numbers_) >> 8) % 50}" for _ in range(1000))

    def squares():
        counts = collections.Counter(text.split(" "))
        return sum(count * count for count in counts.values())

    yield squares


@tare.bench(group="fill", name="python")
def fill():
    numbers_ = numbers(4)
    keys = [(next(numbers_) >> 8) % 4096 for _ in range(1000)]

    def table():
        table = {}
        for i, key in enumerate(keys):
            table[key] = table.get(key, 0) + i
        return len(table) * 1000000 + table[keys[0]]

    yield table

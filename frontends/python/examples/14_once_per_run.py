"""Data that one process of a run makes for all of them."""

import json

import tare


def write(path):
    with open(path, "w") as file:
        json.dump([{"n": i} for i in range(1000)], file)


@tare.bench
def load():
    with open(tare.once_per_run("numbers.json", write)) as file:
        text = file.read()
    yield lambda: len(json.loads(text))

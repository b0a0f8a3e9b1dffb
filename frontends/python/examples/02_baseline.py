"""A group with a baseline: the others are compared with it, and get a verdict."""

import tare

words = ["the", "quick", "brown", "fox"] * 25


@tare.bench(group="join", baseline=True)
def join():
    return " ".join(words)


@tare.bench(group="join")
def add():
    text = ""
    for word in words:
        text += word + " "
    return text.rstrip()

# One text of a thousand words: join them, or append each in turn?

import tare

WORDS = ["word"] * 1000


@tare.bench(group="parse", name="int")
def parse():
    return int("123456789")


@tare.bench(group="join", name="+=", baseline=True)
def append():
    text = ""
    for word in WORDS:
        text += word
    return text


@tare.bench(group="join", name="str.join")
def join():
    return "".join(WORDS)

"""The text of a result and its digest, as defined by the protocol (R21): equal results are equal across languages."""

from __future__ import annotations

import collections
import enum
import re
from json import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SURROGATES = re.compile("[\ud800-\udfff]")
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}")
_LISTS = (list, tuple, bytes, bytearray, range, collections.deque)


def float_text(x: float) -> str:
    """The shortest digits that parse to the same double, formatted like JavaScript."""
    if x != x or x in (float("inf"), float("-inf")):
        return "NaN" if x != x else "Infinity" if x > 0 else "-Infinity"
    if x == 0:
        return "0"
    import decimal

    sign, digit_list, exponent = decimal.Decimal(repr(float(x))).normalize().as_tuple()
    digits = "".join(map(str, digit_list))
    point = len(digits) + int(exponent)  # the value is 0.DIGITS times 10 to the power of this
    if 0 < point <= 21:
        whole, rest = digits[:point].ljust(point, "0"), digits[point:]
        text = whole + ("." + rest if rest else "")
    elif -6 < point <= 0:
        text = "0." + "0" * -point + digits
    else:
        text = digits[0] + ("." + digits[1:] if digits[1:] else "") + f"e{point - 1:+d}"
    return "-" * sign + text


def text_of(value: Any) -> str | None:
    """None if a value has no text: it is None, is unordered, would show an address, contains itself, or raises an error."""
    try:
        return _written(value)
    except Exception:
        return None


def _written(value: Any, inside: bool = False) -> str | None:
    if value is None:
        return "null" if inside else None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, enum.Enum):
        return _quoted(str(value), inside)
    if isinstance(value, int):
        return whole_text(int(value))
    if isinstance(value, float):
        return float_text(value)
    if isinstance(value, str):
        return _quoted(_SURROGATES.sub("\ufffd", value), inside)
    if isinstance(value, dict):
        value = list(value.items())
    if isinstance(value, _LISTS):
        texts = [_written(element, True) for element in value]
        return None if None in texts else "[" + ",".join(filter(None, texts)) + "]"
    if isinstance(value, (set, frozenset)) or getattr(type(value), "__repr__", None) is object.__repr__:
        return None
    if callable(getattr(value, "tolist", None)):  # arrays and scalars of numpy, `array.array`
        return _written(value.tolist(), inside)
    text = repr(value)
    return None if _ADDRESS.search(text) else _quoted(_SURROGATES.sub("\ufffd", text), inside)


def whole_text(number: int) -> str:
    """The decimal digits of a number, even beyond the interpreter's limit for conversions."""
    try:
        return str(number)
    except ValueError:
        import decimal

        return str(decimal.Context(prec=decimal.MAX_PREC).create_decimal(number))


def _quoted(text: str, inside: bool) -> str:
    return dumps(text, ensure_ascii=False) if inside else text


def digest_of(text: str) -> str:
    """FNV-1a, 64 bits."""
    value = 14695981039346656037
    for byte in text.encode("utf-8", "replace"):
        value = (value ^ byte) * 1099511628211 & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"

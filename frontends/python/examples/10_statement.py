"""Source text in the loop itself, without a call, like `timeit`. Names bound by the set-up are local variables."""

import tare

tare.statement("attribute/local", "x.real", set_up="x = 12", baseline=True)
tare.statement("attribute/getattr", "getattr(x, 'real')", set_up="x = 12")

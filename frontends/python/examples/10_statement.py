"""Source text in the loop itself, without a call, as `timeit` does it; what the set-up binds are local variables."""

import tare

tare.statement("attribute/local", "x.real", set_up="x = 12", baseline=True)
tare.statement("attribute/getattr", "getattr(x, 'real')", set_up="x = 12")

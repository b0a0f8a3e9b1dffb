"""Benchmarks added in a loop, for functions that are defined elsewhere."""

import math

import tare

for function in (math.sqrt, math.sin, math.exp):
    tare.add("math/" + function.__name__, lambda x, function=function: function(x), params={"x": [0.5]})

"""Benchmarks written for other libraries, run unchanged."""

"""Benchmarks that are written for other libraries, run as they are."""

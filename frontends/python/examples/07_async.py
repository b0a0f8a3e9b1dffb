"""Asynchronous bodies and set-ups: each invocation is awaited in one event loop."""

import asyncio

import tare


@tare.bench
async def nothing_to_wait_for():
    return 12


@tare.bench
async def queue():
    items = asyncio.Queue()

    async def body():
        await items.put(1)
        return await items.get()

    yield body

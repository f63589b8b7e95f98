# SPDX-FileCopyrightText: Vitro contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Client: the least that aiohttp needs for the same traffic.

It is told what our reader fetched from each BMC, so it waits for no answer to know the next question. It reads each body and
looks at nothing but the status. As many BMCs at once, as many kept-alive connections to each, TLS verified by the same CA.
"""

from __future__ import annotations

import asyncio
import ssl

import aiohttp
import yarl

from benchmarks.job import Job, given, say

CONNECTIONS = 4


async def fetch(http: aiohttp.ClientSession, url: yarl.URL) -> None:
    async with http.get(url) as response:
        await response.read()
        response.raise_for_status()


async def fetch_all(job: Job) -> int:
    gate = asyncio.Semaphore(job.concurrency)
    tls = ssl.create_default_context(cafile=job.ca)
    auth = aiohttp.encode_basic_auth(job.username, job.password)

    async def bmc(address: str, paths: list[str]) -> None:
        async with gate:
            connector = aiohttp.TCPConnector(limit=CONNECTIONS, ssl=tls)
            async with aiohttp.ClientSession(connector=connector, headers={"Authorization": auth}) as http:
                base = f"https://{address}:{job.port}"
                await asyncio.gather(*(fetch(http, yarl.URL(base + path, encoded=True)) for path in paths))

    await asyncio.gather(*map(bmc, job.addresses, job.gets))
    return sum(map(len, job.gets))


def main() -> None:
    say({"resources": asyncio.run(fetch_all(given()))})


if __name__ == "__main__":
    main()

import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { cases } from '#lib/shared/testing/cases.ts'
import { startTestServer, startTimeoutMs } from './testing.ts'

const kills = cases(4)
const writers = 16

test(
  `after ${kills} kills of PostgreSQL under load every connection is idle, and the server stops by itself`,
  async () => {
    const server = await startTestServer()
    onTestFinished(() => void server.process.kill('SIGKILL'))
    const { text } = await server.call('GET', '/cardaccounts?pageSize=60')
    const { cardaccounts } = JSON.parse(text) as { cardaccounts: { id: string; limit: number | null }[] }
    const ids = cardaccounts.filter(({ limit }) => limit).map(({ id }) => id)

    const load = new AbortController()
    const write = async (id: string | undefined) => {
      while (!load.signal.aborted) {
        await server.call('POST', '/cardaccounts/fixed-limit', { cardAccountId: id, limit: 5000 })
        await delay(1)
      }
    }
    const read = async () => {
      while (!load.signal.aborted) {
        await server.visit('/api/sandbox/card-accounts')
        await delay(20)
      }
    }
    const loads = [
      ...Array.from({ length: writers }, (_, index) => write(ids[index % ids.length])),
      ...Array.from({ length: 4 }, read),
    ]
    /** A request of each half, in milliseconds, from the first attempt to the one that succeeds. */
    const timeToRespond = async (): Promise<number> => {
      const began = performance.now()
      await vi.waitFor(
        async () => {
          expect((await server.call('GET', '/cardaccounts?pageSize=1')).status).toBe(200)
          expect(await server.visit('/sandbox/audit')).toBe(200)
        },
        { timeout: 60_000, interval: 20 },
      )
      return performance.now() - began
    }
    await timeToRespond()
    const usual: number[] = []
    const firstResponses: number[] = []
    for (let kill = 0; kill < kills; kill += 1) {
      await delay(300)
      usual.push(await timeToRespond())
      const killed = server.postgresPid()
      process.kill(killed, 'SIGKILL')
      await vi.waitFor(
        async () => {
          expect(server.postgresPid()).not.toBe(killed)
          await (await server.connect()).end()
        },
        { timeout: 60_000, interval: 20 },
      )
      firstResponses.push(await timeToRespond())
    }
    // What the load costs is in both.
    expect(Math.max(...firstResponses)).toBeLessThan(Math.max(...usual) + 2_000)

    load.abort()
    await Promise.all(loads)
    const client = await server.connect()
    await vi.waitFor(
      async () => {
        const { rows } = await client.query(
          `select state, application_name from pg_stat_activity
           where datname = 'carddesk' and application_name like 'carddesk%' and state <> 'idle'`,
        )
        expect(rows).toEqual([])
      },
      { timeout: 30_000, interval: 50 },
    )
    await client.end()

    // A connection that was never given back ends the stop with a failure.
    const began = performance.now()
    expect([await server.stop(), server.output()]).toEqual([0, expect.not.stringContaining('did not stop cleanly')])
    const stopMs = performance.now() - began
    const slowest = (times: readonly number[]) => Math.max(...times).toFixed()
    console.log(
      `slowest response ${slowest(usual)} ms, after a kill ${slowest(firstResponses)} ms; stop ${stopMs.toFixed()} ms`,
    )
    expect(stopMs).toBeLessThan(Math.max(...usual) + 5_000)
  },
  startTimeoutMs,
)

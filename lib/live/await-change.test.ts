import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { shareConsole } from '#lib/console/testing/open-console.ts'
import { awaitChange } from './await-change.ts'
import type { FeedRow } from './feed.ts'
import { notificationsWritten, publish } from './publish.ts'
import { closeLive, hub } from './stream.ts'

shareConsole({ seeded: 1 })

const minute = 60_000

/** What waits for a change of one card account. */
function open(given: Partial<Parameters<typeof awaitChange>[1]> = {}) {
  onTestFinished(closeLive)
  const id = randomUUID()
  let checks = 0
  let isTrue = false
  const concerns = ({ about }: FeedRow) => about.some((change) => change.type === 'cardaccount' && change.id === id)
  const check = async () => {
    checks += 1
    return isTrue
  }
  const stopping = new AbortController()
  const came = awaitChange(check, { ms: minute, everyMs: minute, signal: stopping.signal, concerns, ...given })
  return {
    came,
    stopping,
    checks: () => checks,
    change: async () => {
      isTrue = true
      publish('sandbox', [{ type: 'cardaccount', id }])
      await notificationsWritten()
    },
  }
}

test('what is true already is not waited for', async () => {
  onTestFinished(closeLive)
  const waiting = { ms: minute, everyMs: minute, signal: new AbortController().signal, concerns: () => true }
  expect(await awaitChange(async () => true, waiting)).toBe(true)
  await expect(awaitChange(() => Promise.reject(new Error('no database')), waiting)).rejects.toThrow('no database')
  expect(hub().ends.size).toBe(0)
})

test('a change is noticed as it comes, and others are not asked about', async () => {
  const one = open()
  await hub().feed.ready()
  await expect.poll(one.checks).toBe(1)
  publish('sandbox', [{ type: 'cardaccount', id: randomUUID() }])
  await notificationsWritten()
  await one.change()
  // Long before the next check of its own, and before the end.
  expect(await one.came).toBe(true)
  expect(one.checks()).toBe(2)
  expect(hub().ends.size).toBe(0)
})

test('what no change announces is noticed by asking again', async () => {
  let isTrue = false
  onTestFinished(closeLive)
  const check = async () => isTrue || !(isTrue = true)
  const signal = new AbortController().signal
  expect(await awaitChange(check, { ms: minute, everyMs: 10, signal, concerns: () => false })).toBe(true)
})

test('the wait ends with its time, with the browser and with the server', async () => {
  expect(await open({ ms: 20 }).came).toBe(false)
  const left = open()
  await expect.poll(left.checks).toBe(1)
  left.stopping.abort()
  expect(await left.came).toBe(false)
  const stopped = open()
  await expect.poll(stopped.checks).toBe(1)
  await closeLive()
  expect(await stopped.came).toBe(false)
  const gone = AbortSignal.abort()
  expect(await open({ signal: gone }).came).toBe(false)
})

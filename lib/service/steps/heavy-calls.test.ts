import { expect, onTestFinished, test, vi } from 'vitest'
import { isCallerBusy } from '#lib/db/errors.ts'
import { limitHeavyCalls } from './execute.ts'

const long = Array.from({ length: 51 }, () => ({}))
const { signal } = new AbortController()

/** Calls that run until they are let go, and the keys of those that run by now. */
function makeCalls() {
  const started: string[] = []
  const end = Promise.withResolvers<void>()
  const call = (accessKey: string, body: unknown) =>
    limitHeavyCalls(accessKey, body, signal, async () => {
      started.push(accessKey)
      await end.promise
    })
  return { started, end: end.resolve, call }
}

test('two calls with long arrays of one key, and four of all keys, run at once; the others run after them', async () => {
  const { started, end, call } = makeCalls()
  const calls = ['a', 'a', 'a', 'b', 'b', 'c'].map((key) => call(key, key === 'b' ? { cardAccountIds: long } : long))
  expect(started).toEqual(['a', 'a', 'b', 'b'])
  end()
  await Promise.all(calls)
  expect(started.toSorted()).toEqual(['a', 'a', 'a', 'b', 'b', 'c'])
})

test('a call that waited for seconds is refused and never runs', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { started, end, call } = makeCalls()
  const running = [call('a', long), call('a', long)]
  const third = call('a', long).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(5001)
  expect(isCallerBusy(await third)).toBe(true)
  end()
  await Promise.all(running)
  expect(started).toEqual(['a', 'a'])
})

test('calls with short arrays never wait', async () => {
  const { started, end, call } = makeCalls()
  const bodies = [...Array.from({ length: 20 }, () => ({ ids: long.slice(1) })), null, undefined, 'text', 7]
  const calls = bodies.map((body) => call('a', body))
  expect(started).toHaveLength(bodies.length)
  end()
  await Promise.all(calls)
})

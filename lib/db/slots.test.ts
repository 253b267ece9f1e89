import { expect, onTestFinished, test, vi } from 'vitest'
import { isCallerBusy } from './errors.ts'
import { createSlots, limitConcurrency } from './slots.ts'

const patient = { timeoutMs: 60_000, onTimeout: () => new Error('too late') }

test('lets so many go on at once, and the others in the order in which they came', async () => {
  const slots = createSlots(2, patient)
  const order: string[] = []
  const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = [one, other].map(({ promise }) => slots.run(() => promise))
  const later = ['a', 'b', 'c'].map((name) => slots.run(async () => order.push(name)))
  await Promise.resolve()
  expect(order).toEqual([])
  one.resolve()
  await Promise.all(later)
  expect(order).toEqual(['a', 'b', 'c'])
  other.resolve()
  await Promise.all(first)
})

test('who waits too long, or whose caller goes, gives up its place in the queue', async () => {
  const slots = createSlots(1, { ...patient, timeoutMs: 20 })
  const running = Promise.withResolvers<void>()
  const first = slots.run(() => running.promise)
  const work = vi.fn(async () => 'done')
  await expect(slots.run(work)).rejects.toThrow('too late')
  const caller = new AbortController()
  const waiting = slots.run(work, caller.signal)
  caller.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  await expect(slots.run(work, caller.signal)).rejects.toThrow('gone')
  expect(work).not.toHaveBeenCalled()
  running.resolve()
  await first
  expect(await slots.run(work)).toBe('done')
})

test('one person has so many reads at once, which leaves connections to others; those of somebody who left never begin', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const [running, leaving] = [Promise.withResolvers<string>(), new AbortController()]
  const { signal } = new AbortController()
  const second = vi.fn(async () => 'second')
  const first = limitConcurrency('a person', 1, signal, () => running.promise)
  const failures = [
    limitConcurrency('a person', 1, signal, second),
    limitConcurrency('a person', 1, leaving.signal, second),
  ].map((read) => read.catch((error: unknown) => error))
  expect(await limitConcurrency('another person', 1, signal, async () => 'served')).toBe('served')
  leaving.abort(new Error('gone'))
  expect(await failures[1]).toEqual(new Error('gone'))
  await vi.advanceTimersByTimeAsync(5001)
  expect(isCallerBusy(await failures[0])).toBe(true)
  expect(second).not.toHaveBeenCalled()
  running.resolve('first')
  expect(await first).toBe('first')
  await expect(limitConcurrency('a person', 1, signal, () => Promise.reject(new Error('failed')))).rejects.toThrow(
    'failed',
  )
  expect(await limitConcurrency('a person', 1, signal, second)).toBe('second')
})

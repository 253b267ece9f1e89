import { expect, test } from 'vitest'
import { createSlots } from './slots.ts'

const patient = { timeoutMs: 60_000, onTimeout: () => new Error('too late') }

test('lets so many go on at once, and the others in the order in which they came', async () => {
  const slots = createSlots(2, patient)
  const order: string[] = []
  const releases = await Promise.all([slots.take(), slots.take()])
  const later = ['a', 'b', 'c'].map(async (name) => {
    const release = await slots.take()
    order.push(name)
    release()
  })
  await Promise.resolve()
  expect(order).toEqual([])
  releases[0]?.()
  releases[0]?.()
  await Promise.all(later)
  expect(order).toEqual(['a', 'b', 'c'])
})

test('who waits too long, or whose caller goes, gives up its place in the queue', async () => {
  const slots = createSlots(1, { ...patient, timeoutMs: 20 })
  const release = await slots.take()
  await expect(slots.take()).rejects.toThrow('too late')
  const caller = new AbortController()
  const waiting = slots.take(caller.signal)
  caller.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  await expect(slots.take(caller.signal)).rejects.toThrow('gone')
  release()
  ;(await slots.take())()
})

test('where so many wait already, one more does not wait', async () => {
  const slots = createSlots(1, { ...patient, mostWaiting: 1 })
  const release = await slots.take()
  const waiting = slots.take()
  await expect(slots.take()).rejects.toThrow('too late')
  release()
  ;(await waiting)()
})

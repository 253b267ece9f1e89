import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Role } from '#lib/auth/permissions.ts'
import { type SessionReport, type SessionState, watchSession } from './session-watch.ts'

const minute = 60_000
const idleMs = 15 * minute

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-03-01T10:00:00Z') }))
afterEach(() => void vi.useRealTimers())

/** A page beside a console whose session ends after 15 minutes without a report. */
function openPage() {
  const session = { lastActiveAt: Date.now(), staffId: 'one', role: 'viewer' as Role, isReachable: true }
  const states: SessionState['kind'][] = []
  const reads = { activity: 0, reads: 0 }
  const others = vi.fn<() => void>()
  const roles: boolean[] = []
  const response = (): SessionReport => {
    if (!session.isReachable) return null
    const idleInMs = session.lastActiveAt + idleMs - Date.now()
    const { staffId, role } = session
    return idleInMs > 0 ? { staffId, role, idleInMs } : 'signed-out'
  }
  const watch = watchSession({
    staffId: 'one',
    role: 'viewer',
    idleMs,
    read: async () => {
      reads.reads += 1
      return response()
    },
    report: async () => {
      reads.activity += 1
      if (response() !== 'signed-out' && session.isReachable) session.lastActiveAt = Date.now()
      return response()
    },
    onState: ({ kind }) => states.push(kind),
    onOtherPerson: others,
    onRole: (isOther) => roles.push(isOther),
  })
  return { session, states, reads, watch, others, roles, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) }
}

test('warns two minutes before the end and signs out at the end of an unattended page', async () => {
  const { states, pass, reads } = openPage()
  await pass(13 * minute - 1)
  expect([states, reads]).toEqual([[], { activity: 0, reads: 0 }])
  await pass(1)
  expect(states).toEqual(['warning'])
  await pass(2 * minute - 1)
  expect(states).toEqual(['warning'])
  await pass(5_001)
  expect(states).toEqual(['warning', 'signed-out'])
  expect(reads.activity).toBe(0)
})

test('input keeps the session, reported every half minute at most, the last one too', async () => {
  const { states, pass, reads, watch, session } = openPage()
  for (let second = 0; second < 10 * 60; second += 1) {
    watch.onActivity()
    await pass(1_000)
  }
  expect(reads.activity).toBeGreaterThanOrEqual(19)
  expect(reads.activity).toBeLessThanOrEqual(20)
  await pass(30_000)
  expect(Date.now() - session.lastActiveAt).toBeLessThanOrEqual(31_000)
  await pass(12 * minute)
  expect(states).toEqual([])
})

test('stray input does not end the warning; "Stay signed in" does', async () => {
  const { states, pass, watch, reads } = openPage()
  await pass(13 * minute)
  watch.onActivity()
  await pass(30_000)
  expect(reads.activity).toBe(0)
  watch.stay()
  await pass(0)
  expect(states).toEqual(['warning', 'active'])
  await pass(13 * minute)
  expect(states).toEqual(['warning', 'active', 'warning'])
})

test('activity in another tab prevents the warning, or ends it', async () => {
  const { states, pass, session } = openPage()
  await pass(10 * minute)
  session.lastActiveAt = Date.now()
  await pass(12 * minute)
  expect(states).toEqual([])
  await pass(minute)
  expect(states).toEqual(['warning'])
  session.lastActiveAt = Date.now()
  await pass(5_000)
  expect(states).toEqual(['warning', 'active'])
})

test('after signing in again the page continues for the same person only', async () => {
  const { states, pass, session, watch, others } = openPage()
  await pass(16 * minute)
  expect(states.at(-1)).toBe('signed-out')
  session.lastActiveAt = Date.now()
  watch.recheck()
  await pass(0)
  expect(states.at(-1)).toBe('active')
  session.staffId = 'two'
  watch.recheck()
  await pass(0)
  expect(others).toHaveBeenCalledOnce()
})

test('a session that ended is not asked for again until its person comes back to the page', async () => {
  const { states, pass, reads, watch } = openPage()
  await pass(16 * minute)
  expect(states.at(-1)).toBe('signed-out')
  const { reads: before } = reads
  await pass(60 * minute)
  expect(reads.reads).toBe(before)
  watch.recheck()
  await pass(60 * minute)
  expect(reads.reads).toBe(before + 1)
})

test('a console that does not respond signs nobody out; the next check finds a session that was ended elsewhere', async () => {
  const { states, pass, session, watch } = openPage()
  session.isReachable = false
  await pass(20 * minute)
  expect(states).toEqual([])
  session.isReachable = true
  watch.recheck()
  await pass(0)
  expect(states).toEqual(['signed-out'])
})

test('a closed page sends no more checks', async () => {
  const { pass, reads, watch } = openPage()
  watch.stop()
  await pass(30 * minute)
  expect(reads.reads).toBe(0)
})

test('a role that changes is reported once, and once more when it is the page’s own again', async () => {
  const { session, watch, roles, states, pass } = openPage()
  for (const role of ['viewer', 'admin', 'support', 'viewer'] as const) {
    session.role = role
    watch.recheck()
    await pass(0)
  }
  expect([roles, states]).toEqual([[true, false], []])
})

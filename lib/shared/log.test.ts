import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openLog } from './log.ts'
import { minuteMs } from './time.ts'

let lines: Record<string, unknown>[]

beforeEach(() => {
  lines = []
  vi.useFakeTimers()
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(JSON.parse(String(line)) as Record<string, unknown>)
    return true
  })
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('a failure that repeats is one line, and another with its count after a minute', () => {
  const { logFailure } = openLog('test', 'SEALING_KEY')
  const failure = new Error('connect ECONNREFUSED')
  for (let time = 0; time < 250; time += 1) logFailure(failure, { while: 'reading the changes' })
  logFailure(failure, { while: 'renewing a lease' })
  expect(lines).toMatchObject([
    { msg: 'unexpected failure', while: 'reading the changes', error: { message: 'connect ECONNREFUSED' } },
    { msg: 'unexpected failure', while: 'renewing a lease' },
  ])
  vi.advanceTimersByTime(minuteMs)
  expect(lines.slice(2)).toMatchObject([{ while: 'reading the changes', times: 249, error: { name: 'Error' } }])
  logFailure(failure, { while: 'reading the changes' })
  expect(lines).toHaveLength(4)
})

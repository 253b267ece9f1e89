import { describe, expect, test } from 'vitest'
import { circuitBreaker } from './circuit-breaker.ts'

function breakerAt(time: { ms: number }) {
  const settings = { windowMs: 10_000, minimumFailures: 4, failureShare: 0.5, openMs: 2000 }
  return circuitBreaker(settings, () => time.ms)
}

function times(count: number, act: () => void): void {
  for (let turn = 0; turn < count; turn++) act()
}

describe('circuitBreaker', () => {
  test('opens at the failures it needs, and lets nothing through until its time is over', () => {
    const time = { ms: 0 }
    const breaker = breakerAt(time)
    times(3, () => breaker.enter()?.failed())
    expect(breaker.state()).toBe('closed')
    breaker.enter()?.failed()
    expect(breaker.state()).toBe('open')
    expect(breaker.enter()).toBeNull()
    time.ms = 1999
    expect(breaker.enter()).toBeNull()
    time.ms = 2000
    expect(breaker.state()).toBe('half-open')
    expect(breaker.enter()).not.toBeNull()
  })

  test('stays closed while responses outnumber failures', () => {
    const breaker = breakerAt({ ms: 0 })
    times(20, () => {
      breaker.enter()?.succeeded()
      breaker.enter()?.succeeded()
      breaker.enter()?.failed()
    })
    expect(breaker.state()).toBe('closed')
  })

  test('forgets failures that are older than its window', () => {
    const time = { ms: 0 }
    const breaker = breakerAt(time)
    times(30, () => {
      breaker.enter()?.failed()
      time.ms += 4000
    })
    expect(breaker.state()).toBe('closed')
  })

  test('lets a single probe through: its response closes it with a clean record, its failure opens it again', () => {
    const time = { ms: 0 }
    const breaker = breakerAt(time)
    times(4, () => breaker.enter()?.failed())
    time.ms = 2000
    const probe = breaker.enter()
    expect(breaker.enter()).toBeNull()
    probe?.failed()
    expect(breaker.state()).toBe('open')
    time.ms = 4000
    breaker.enter()?.succeeded()
    expect(breaker.state()).toBe('closed')
    times(3, () => breaker.enter()?.failed())
    expect(breaker.state()).toBe('closed')
  })

  test('lets another probe through where the first was given up', () => {
    const time = { ms: 0 }
    const breaker = breakerAt(time)
    times(4, () => breaker.enter()?.failed())
    time.ms = 2000
    breaker.enter()?.abandoned()
    expect(breaker.enter()).not.toBeNull()
  })

  test('does not listen to what was sent before it opened', () => {
    const time = { ms: 0 }
    const breaker = breakerAt(time)
    const [slow, slower] = [breaker.enter(), breaker.enter()]
    times(4, () => breaker.enter()?.failed())
    slow?.succeeded()
    expect(breaker.state()).toBe('open')
    time.ms = 1999
    slower?.failed()
    time.ms = 2000
    expect(breaker.enter()).not.toBeNull()
  })
})

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { slidingCount } from './circuit-breaker.ts'

test('counts everything of the window but its oldest tenth, and nothing older', () => {
  const steps = fc.array(fc.nat(3000), { maxLength: 100 })
  fc.assert(
    fc.property(steps, (steps) => {
      const count = slidingCount(10_000)
      const times: number[] = []
      let now = 0
      for (const step of steps) {
        now += step
        times.push(now)
        count.add(now)
        const total = count.total(now)
        expect(total).toBeLessThanOrEqual(times.filter((time) => time > now - 10_000).length)
        expect(total).toBeGreaterThanOrEqual(times.filter((time) => time > now - 9000).length)
      }
      expect(count.total(now + 10_000)).toBe(0)
    }),
  )
})

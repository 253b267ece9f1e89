import { afterAll, expect, inject, test } from 'vitest'
import { openDesk } from '#e2e/bench/desk.ts'
import { parts } from '#e2e/bench/parts.ts'
import { startTimeoutMs } from './testing.ts'

const desk = openDesk('short')
afterAll(() => desk.close())

/** Only `npm run suites:full` has the minutes that the ten parts take. */
const hasTime = inject('extent') > 1

test.runIf(hasTime).each(Object.entries(parts))(
  'the bench of %s runs in short, each step once',
  async (_name, measure) => {
    const figures = await measure(desk)
    expect(figures.length).toBeGreaterThan(0)
    for (const { figure, measured } of figures)
      expect([figure, measured]).toEqual([figure, expect.stringMatching(/\d/)])
  },
  startTimeoutMs,
)

import { afterAll, expect, inject, test } from 'vitest'
import { openDesk } from '#e2e/bench/desk.ts'
import { parts } from '#e2e/bench/parts.ts'
import { startTimeoutMs } from './testing.ts'

const desk = openDesk('short')
afterAll(() => desk.close())

/** On one server, without a browser, and seconds each. The others take minutes, which only `npm run suites:full` has. */
const everyday: readonly string[] = ['signing', 'service', 'webhooks', 'scenarios']
const chosen = Object.entries(parts).filter(([name]) => inject('extent') > 1 || everyday.includes(name))

test.each(chosen)(
  'the bench of %s runs in short, each step once',
  async (_name, measure) => {
    const figures = await measure(desk)
    expect(figures.length).toBeGreaterThan(0)
    for (const { figure, measured } of figures)
      expect([figure, measured]).toEqual([figure, expect.stringMatching(/\d/)])
  },
  startTimeoutMs,
)

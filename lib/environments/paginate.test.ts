import { expect, test } from 'vitest'
import { isPastNewest } from './paginate.ts'

const earliestMs = Date.parse('2026-11-20T00:00:00Z')

test.each<[string, (string | null)[], boolean]>([
  ['newest first, past the time', ['2026-11-21T00:00:00Z', '2026-11-20T00:00:00Z', '2026-11-19T23:59:59Z'], true],
  ['newest first, not past it', ['2026-11-21T00:00:00Z', '2026-11-20T00:00:00Z'], false],
  ['oldest first: what is looked for may be last', ['2024-01-01T00:00:00Z', '2024-06-01T00:00:00Z'], false],
  ['all of one time, which shows no order', ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z'], false],
  ['in no order', ['2026-11-21T00:00:00Z', '2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z'], false],
  ['one record', ['2024-01-01T00:00:00Z'], false],
  ['a record without a time', ['2026-11-21T00:00:00Z', null, '2024-01-01T00:00:00Z'], false],
  ['none', [], false],
])('a page that is %s', (_, times, isPast) => {
  expect(isPastNewest(times, earliestMs)).toBe(isPast)
})

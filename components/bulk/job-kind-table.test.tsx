import { expect, test } from 'vitest'
import type { BulkKind } from '#lib/operations/bulk/types.ts'
import { jobKindTable } from './job-kind-table.tsx'

const kinds = Object.keys(jobKindTable) as BulkKind[]

test.each(kinds)(
  'the dialog of %s says that the job can be paused or cancelled, and names what nothing changes',
  (kind) => {
    const { consequence, keepLabel } = jobKindTable[kind]
    expect(consequence).toContain('You can pause or cancel the job')
    expect(keepLabel).not.toBe('Cancel')
  },
)

test.each([
  ['account.set-limit', {}, false],
  ['account.set-limit', { limit: '1000' }, false],
  ['account.set-limit', { limit: '1,000.50', currency: 'HKD' }, true],
  ['account.set-limit', { limit: '1.5', currency: 'JPY' }, false],
  ['reference.set', { targetType: 'card', key: 'campaign' }, false],
  ['reference.set', { targetType: 'card', key: 'campaign', value: ' ' }, false],
  ['reference.set', { targetType: 'card', key: 'campaign', value: 'winter' }, true],
] as const)('%s with %j is complete enough for a preview: %s', (kind, settings, isComplete) => {
  expect(jobKindTable[kind].fields?.isComplete(settings)).toBe(isComplete)
})

test.each([
  ['card.lock', 'locked', 2, 'are locked'],
  ['card.lock', 'cancelled', 1, 'is cancelled'],
  ['fee.waive', 'void', 1, 'is void already: waived or cancelled before, and not counted in any balance'],
  ['account.set-limit', 'A prepaid account has no limit.', 3, 'left as they are: A prepaid account has no limit'],
  ['reference.set', 'same', 2, 'have this value already'],
  ['reference.set', 'other-form', 1, 'has metadata without keys, which would be lost'],
] as const)('%s leaves out records that are “%s” in words', (kind, because, rows, text) => {
  expect(jobKindTable[kind].leftOut(because, rows)).toBe(text)
})

test('a job that raises limits is held back by their rules, too; one that raises none is not', () => {
  const preview = { ids: [], leftOut: [], isTruncated: false, asOf: '', digest: '' }
  const ahead = (raised: number) =>
    jobKindTable['account.set-limit'].rowsAhead?.({
      ...preview,
      settings: { limit: '1,000', currency: 'HKD' },
      effect: { limits: { raised, belowOutstanding: 0 } },
    })
  expect(ahead(2)).toEqual([{ topic: 'limit-raises', amount: '1000', currency: 'HKD' }])
  expect(ahead(0)).toEqual([])
})

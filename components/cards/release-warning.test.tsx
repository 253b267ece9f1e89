import { expect, test } from 'vitest'
import type { CardHistory } from '#lib/console/cards/types.ts'
import { isReportedLost } from './release-warning.tsx'

const entry = (act: string, reason: string | null, state = 'done') =>
  ({ kind: 'operation', act, reason, outcome: { state } }) as CardHistory['entries'][number]
const lost = entry('card.replace', 'lost-or-stolen')

test.each<[string, CardHistory['entries'], boolean]>([
  ['nothing happened', [], false],
  ['it was locked as lost', [entry('card.lock', 'lost-or-stolen')], true],
  ['it was locked otherwise', [entry('card.lock', 'suspected-fraud')], false],
  ['its replacement began', [entry('card.lock', null), lost], true],
  ['the report was refused', [entry('card.lock', 'lost-or-stolen', 'refused')], false],
  ['it was found, and unlocked', [entry('card.unlock', 'cardholder-request'), lost], false],
  ['its unlock was refused', [entry('card.unlock', null, 'refused'), lost], true],
  ['nobody knows whether it was unlocked', [entry('card.unlock', null, 'unknown'), lost], true],
  ['it was lost again', [lost, entry('card.unlock', null), lost], true],
])('a card is reported lost: %s', (_name, entries, isLost) => {
  expect(isReportedLost({ entries })).toBe(isLost)
})

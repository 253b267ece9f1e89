import { expect, test } from 'vitest'
import { isReportedLost } from './kept-stopped.ts'

type Row = Parameters<typeof isReportedLost>[0][number]

const entry = (kind: string, reason: string | null, state: Row['state'] = 'done'): Row => ({
  kind,
  reason,
  state,
  code: null,
})
const lost = entry('card.replace', 'lost-or-stolen')

test.each<[string, Row[], boolean]>([
  ['nothing happened', [], false],
  ['it was locked as lost', [entry('card.lock', 'lost-or-stolen')], true],
  ['a job locked it as lost', [entry('card.lock', 'Lost or stolen: call of the holder')], true],
  ['it was locked otherwise', [entry('card.lock', 'suspected-fraud')], false],
  ['its replacement began', [entry('card.lock', null), lost], true],
  ['the report was refused', [entry('card.lock', 'lost-or-stolen', 'refused')], false],
  ['it was found, and unlocked', [entry('card.unlock', 'cardholder-request'), lost], false],
  ['its unlock was refused', [entry('card.unlock', null, 'refused'), lost], true],
  ['nobody knows whether it was unlocked', [entry('card.unlock', null, 'unknown'), lost], true],
  ['it was lost again', [lost, entry('card.unlock', null), lost], true],
])('a card is reported lost: %s', (_name, rows, isLost) => {
  expect(isReportedLost(rows)).toBe(isLost)
})

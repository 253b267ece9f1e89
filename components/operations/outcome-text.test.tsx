import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { OutcomeCallout, pastTitle, refusedAfterLoss, refusedHere } from './outcome-text.tsx'

test.each([
  ['done', 'Card locked'],
  // Also what a colleague declined, and what was never sent.
  ['refused', 'Lock card: not done'],
  ['unknown', 'Lock card: not confirmed yet'],
] as const)('in a history, an operation that is %s is “%s”', (state, title) => {
  expect(pastTitle(state, 'Lock card', 'Card locked')).toBe(title)
})

test('a second try that is refused after a lost response does not say that nothing was changed', () => {
  const refused = refusedHere({ happened: 'You are signed out.', next: 'Sign in again.' })
  const html = renderToString(<OutcomeCallout outcome={refusedAfterLoss(refused)} />)
  expect(html).toContain('we don’t know if this began')
  expect(html).toContain('You are signed out.')
  expect(html).not.toContain('Nothing was changed')
})

test('a request that was declined says what was not sent, and nothing of the steps that came with it', () => {
  const declined = refusedHere({ happened: 'Ada Ng declined it: wrong card', next: '“Cancel card” was not sent.' })
  const textOf = (code: string) => renderToString(<OutcomeCallout outcome={{ ...declined, code }} />)
  expect(textOf('APPROVAL_DECLINED')).toContain('“Cancel card” was not sent.')
  expect(textOf('APPROVAL_DECLINED')).not.toContain('Nothing was changed')
  expect(textOf('CARD_ALREADY_CANCELLED')).toContain('Nothing was changed. “Cancel card” was not sent.')
})

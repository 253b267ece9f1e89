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

import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Card } from '#lib/contract/records.ts'
import { unboundCardLimit } from '#lib/contract/terms.ts'
import { LimitsLeftBehind } from './limits-left-behind.tsx'

const unbound = {
  cardLimit: unboundCardLimit,
  dailyLimit: unboundCardLimit,
  dailyPurchaseLimit: unboundCardLimit,
  dailyAtmLimit: unboundCardLimit,
  cardPresentLimit: unboundCardLimit,
  cardNotPresentLimit: null,
  singleTransactionLimit: unboundCardLimit,
} as Card

function textOf(card: Card): string {
  return renderToStaticMarkup(<LimitsLeftBehind card={card} currency="HKD" />).replaceAll(/<[^>]+>/g, ' ')
}

test('the limits that a replacement lacks are named, with why, before it is issued', () => {
  const text = textOf({ ...unbound, dailyLimit: 48_000, singleTransactionLimit: 20_000 })
  expect(text).toMatch(/Per day\s+48,000\.00 HKD/)
  expect(text).toMatch(/Single transaction\s+20,000\.00 HKD/)
  expect(text).toContain('Card limits can’t be set here.')
  expect(text).not.toContain('Cash')
})

test('nothing is said of a card without limits of its own', () => expect(textOf(unbound)).toBe(''))

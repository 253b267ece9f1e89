import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EnvironmentProvider } from '#components/environment/use-environment.ts'
import type { CardAccountDetail } from '#lib/console/card-accounts/types.ts'
import { AccountCards } from './account-cards.tsx'

const detail = {
  account: { id: 'Acc' },
  cards: [],
  cardsExcluded: 0,
  hasMoreCards: false,
  cardsProblem: null,
  waiting: [],
  waitingLimits: [],
} as unknown as CardAccountDetail

const textWith = (change: Partial<CardAccountDetail>) =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <EnvironmentProvider value="sandbox">
        <AccountCards detail={{ ...detail, ...change }} />
      </EnvironmentProvider>
    </QueryClientProvider>,
  )

test('only an account whose list of cards is empty has no cards yet', () => {
  expect(textWith({})).toContain('No cards yet')
  const unreadable = textWith({ cardsProblem: 'GET /cards returned an HTML page where JSON was expected.' })
  expect(unreadable).toContain('GET /cards returned an HTML page')
  expect(unreadable).not.toContain('No cards yet')
  const excluded = textWith({ cardsExcluded: 2 })
  expect(excluded).toContain('2 records could not be read')
  expect(excluded).not.toContain('No cards yet')
  expect(textWith({ hasMoreCards: true })).toContain('There are more cards')
})

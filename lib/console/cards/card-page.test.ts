import { expect, test } from 'vitest'
import CardPage from '#app/[environment]/card-accounts/[cardAccountId]/cards/[cardId]/page.tsx'
import { indexedCards } from '#lib/tables/card-accounts.ts'
import { listNotes } from '../notes/read.ts'
import { cardIn } from '../testing/cards.ts'
import { openConsole } from '../testing/open-console.ts'

test('a card that the console has not read yet has its page, and one that does not exist has none', async () => {
  const desk = await openConsole({ seeded: 4 })
  await desk.signIn('support')
  const { target, last4 } = await cardIn(desk, 'active')
  const page = (cardId: string) =>
    CardPage({ params: Promise.resolve({ ...target, cardId }), searchParams: Promise.resolve({}) })
  expect(await desk.db.select().from(indexedCards)).toEqual([])
  expect(JSON.stringify((await page(target.cardId)).props)).toContain(`"last4":"${last4}"`)
  // The browser reads the notes once the page is there.
  expect(await listNotes('sandbox', 'card', target.cardId)).toMatchObject({ notes: [] })
  await expect(page(target.cardAccountId)).rejects.toThrow('NEXT_HTTP_ERROR_FALLBACK;404')
})

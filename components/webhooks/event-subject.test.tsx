import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EnvironmentProvider } from '#components/environment/use-environment.ts'
import { EventSubject, findEventSubject } from './event-subject.tsx'

const nothing = {
  cardAccountId: null,
  accountName: null,
  cardId: null,
  cardLast4: null,
  payoutId: null,
  payoutTo: null,
}
const account = { ...nothing, cardAccountId: 'aaaa1111-0000-4000-8000-00000000aaaa' }
const card = { ...account, cardId: 'cccc2222-0000-4000-8000-00000000cccc' }
const payout = { ...nothing, payoutId: 'dddd3333-0000-4000-8000-00000000dddd' }

test.each([
  [nothing, '–'],
  [{ ...card, cardLast4: '0708', accountName: 'Chan Tai Man' }, 'Card ending 0708 · Chan Tai Man'],
  [{ ...card, cardLast4: '0708' }, 'Card ending 0708'],
  [{ ...card, accountName: 'Chan Tai Man' }, 'Card cccc…cccc · Chan Tai Man'],
  [{ ...account, accountName: 'Chan Tai Man' }, 'Chan Tai Man'],
  [account, 'Account aaaa…aaaa'],
  [{ ...payout, payoutTo: 'Lee Ka Yan' }, 'Payout to Lee Ka Yan'],
  [payout, 'Payout dddd…dddd'],
])('an object is named as people know it, and by its id where the console does not (%j)', (event, text) => {
  const markup = renderToStaticMarkup(
    <EnvironmentProvider value="sandbox">
      <EventSubject event={event} />
    </EnvironmentProvider>,
  )
  expect(markup.replaceAll(/<[^>]+>/g, '')).toBe(text)
})

test('what is copied is the whole id of the object that the link leads to', () => {
  for (const [event, id] of [
    [card, card.cardId],
    [account, account.cardAccountId],
    [payout, payout.payoutId],
  ] as const) {
    const subject = findEventSubject(event)
    expect(subject?.id).toBe(id)
    expect(subject?.href('sandbox')).toContain(id)
  }
})

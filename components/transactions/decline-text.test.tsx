import { renderToString } from 'react-dom/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { declineEn } from '#components/messages/decline-en.ts'
import { declineZhHant } from '#components/messages/decline-zh-hant.ts'
import { amountText } from '#components/ui/amount.tsx'
import { PageZoneProvider } from '#components/ui/page-zone.tsx'
import { formatTime, hktZone, type PageZone } from '#components/ui/time-format.ts'
import { explainDecline } from '#lib/console/transactions/explain-decline.ts'
import { balanceDecline, chargeLimits, type Decline, expiryDecline, statusDeclines } from '#lib/contract/charge-rule.ts'
import type { Card, CardAccount, CardAccountTransaction } from '#lib/contract/records.ts'
import { declineReasons } from '#lib/contract/sandbox.ts'
import { unboundCardLimit } from '#lib/contract/terms.ts'
import { DeclineExplained } from './decline-panel.tsx'
import { describeDecline } from './decline-text.ts'

const at = '2026-11-10T09:30:00.000Z'
// A time of this year is told without it.
beforeAll(() => void vi.useFakeTimers({ now: new Date(at), toFake: ['Date'] }))
afterAll(() => void vi.useRealTimers())

const base = { type: 'PURCHASE', cardPresent: false, currency: 'HKD', amount: 120, createdAt: at, id: 'X' }
const limits = Object.fromEntries(chargeLimits.map(({ name }) => [name, unboundCardLimit]))
const card = { id: 'C', status: 'active', expiryMonth: 12, expiryYear: 2030, availableLimit: 500, ...limits } as Card
const account = {
  id: 'A',
  currency: 'HKD',
  accountType: 'credit',
  limit: 500,
  balance: 0,
  available: 500,
} as CardAccount

type Given = {
  card?: Partial<Card>
  account?: Partial<CardAccount>
  spent?: number
  rule?: 'built-in' | 'unknown'
}

/** A charge of 120 HKD, with what was charged before it that day. */
function decline(response: Decline, { rule = 'built-in', spent = 0, ...given }: Given = {}) {
  const authorization = { ...base, ...response }
  const transaction = { id: 'T', createdAt: at, status: 'declined', intent: 'charge', currency: 'HKD', amount: 120 }
  const charged = { ...transaction, authorization } as CardAccountTransaction
  const earlier = {
    ...charged,
    id: 'E',
    status: 'pending',
    amount: spent,
    createdAt: '2026-11-10T01:00:00.000Z',
  }
  const charges = { entries: spent > 0 ? [earlier] : [], isWhole: true }
  const records = { card: { ...card, ...given.card }, account: { ...account, ...given.account } }
  const explanation = explainDecline({
    transaction: charged,
    ...records,
    charges: { atDecline: charges, now: charges },
    now: new Date(at),
    rule,
  })
  return { decline: { explanation, ...records }, transaction: charged }
}

/** The sentences about it. */
function describe(response: Decline, given: Given = {}, texts = declineEn, hasButtons = false) {
  const time = (instant: string) => `${formatTime(instant, hktZone, 'short')} HKT`
  const declined = decline(response, given)
  return describeDecline({ texts, amount: amountText, time }, declined.decline, declined.transaction, hasButtons)
}

const limitDecline = (name: string) => chargeLimits.find((one) => one.name === name)?.decline ?? balanceDecline

test.each<[string, Decline, Given, { why: string; now: string; tell: string }]>([
  [
    'a locked card',
    statusDeclines.locked,
    { card: { status: 'locked' } },
    {
      why: 'The card was locked.',
      now: 'The card is locked. To let it pass: Unlock card.',
      tell: 'Your card was locked, so the payment was declined. You were not charged.',
    },
  ],
  [
    'a card that was unlocked since',
    statusDeclines.locked,
    {},
    {
      why: 'The card was locked.',
      now: 'Nothing stops the same charge now.',
      tell: 'Your card was locked, so the payment was declined. You were not charged. You can try again now.',
    },
  ],
  [
    'a suspended card',
    statusDeclines.suspended,
    { card: { status: 'suspended' } },
    {
      why: 'The card was suspended.',
      now: 'The card is suspended. To let it pass: Unsuspend card. If the card was locked before, unlock it too.',
      tell: 'Your card is on hold, so the payment was declined. You were not charged.',
    },
  ],
  [
    'a cancelled card',
    statusDeclines.cancelled,
    { card: { status: 'cancelled' } },
    {
      why: 'The card was cancelled.',
      now: 'The card is cancelled. No action brings a cancelled card back.',
      tell: 'That card is cancelled, so the payment was declined. It can’t be used again. You were not charged.',
    },
  ],
  [
    'an expired card',
    expiryDecline,
    { card: { expiryYear: 2025 } },
    {
      why: 'The card had expired.',
      now: 'The card has expired. No action renews an expired card.',
      tell: 'Your card has expired, so the payment was declined. You were not charged.',
    },
  ],
  [
    'a balance that is too low',
    balanceDecline,
    { account: { balance: -450.5, available: 49.5 } },
    {
      why: 'The charge of 120.00 HKD was more than the available balance.',
      now: 'The available balance is 70.50 HKD short. To let it pass: Set limit to 570.50 HKD. Up to 49.50 HKD passes now.',
      tell: 'Your payment of 120.00 HKD was more than your available balance. You were not charged. You can pay up to 49.50 HKD now.',
    },
  ],
  [
    'a prepaid balance that is too low',
    balanceDecline,
    { account: { accountType: 'prepaid', limit: 0, balance: 20, available: 20 } },
    {
      why: 'The charge of 120.00 HKD was more than the available balance.',
      now: 'The available balance is 100.00 HKD short. A top-up of 100.00 HKD would cover it; there is no action for that. Up to 20.00 HKD passes now.',
      tell: 'Your payment of 120.00 HKD was more than your available balance. You were not charged. You can pay up to 20.00 HKD now.',
    },
  ],
  [
    'a daily limit of which a part was used',
    limitDecline('dailyLimit'),
    { card: { dailyLimit: 150 }, spent: 50 },
    {
      why: 'The charge of 120.00 HKD was more than the 100.00 HKD left of the daily limit of 150.00 HKD.',
      now: 'It is 20.00 HKD over the daily limit. No action changes a card’s own limits. It passes from 11 Nov, 00:00 HKT, when the limit begins anew. Up to 100.00 HKD passes now.',
      tell: 'Your payment of 120.00 HKD was over your card’s daily limit of 150.00 HKD. You were not charged. You can pay up to 100.00 HKD now. You can try again from 11 Nov, 00:00 HKT.',
    },
  ],
  [
    'a limit that is higher by now',
    limitDecline('singleTransactionLimit'),
    { card: { singleTransactionLimit: 200 } },
    {
      why: 'The charge of 120.00 HKD was more than the single transaction limit. It is within that limit by today’s figures: the limit or the charges have changed since.',
      now: 'Nothing stops the same charge now.',
      tell: 'Your payment of 120.00 HKD was over a limit of your card. You were not charged. You can try again now.',
    },
  ],
  [
    'a code that names no limit',
    declineReasons['issuer-unavailable'],
    {},
    {
      why: 'The response names no status, limit or balance of this card.',
      now: 'Nothing stops the same charge now.',
      tell: 'The payment couldn’t be processed at that moment. You were not charged.',
    },
  ],
  [
    'a code of another service',
    { responseCode: 'Z9', responseMessage: 'Not today' },
    { rule: 'unknown' },
    {
      why: 'The card service says no more than this.',
      now: 'The card service doesn’t show what stops it.',
      tell: 'Your payment was declined. You were not charged.',
    },
  ],
])('a decline by %s is explained in sentences', (_, response, given, sentences) => {
  const { why, now, tell } = describe(response, given)
  expect({ why, now, tell }).toEqual(sentences)
})

test('each limit says what it leaves, and a limit that the card has not says so', () => {
  const given = { card: { dailyLimit: 150 }, spent: 50 }
  const byLabel = Object.fromEntries(
    describe(limitDecline('dailyLimit'), given).bounds.map(({ label, limit, slack }) => [label, [limit, slack]]),
  )
  expect(byLabel).toEqual({
    'Available balance': [null, '380.00 HKD to spare now'],
    'Single transaction limit': ['no limit', 'no limit'],
    'Card-not-present limit': ['no limit', 'no limit'],
    'Daily purchase limit': ['no limit', 'no limit'],
    'Daily limit': ['150.00 HKD per day', '20.00 HKD over'],
    'Card limit': ['no limit', 'no limit'],
  })
})

test('the cardholder hears what stops the card now, where something else declined the payment', () => {
  const given = { card: { status: 'locked' }, account: { balance: -450.5, available: 49.5 } } satisfies Given
  expect(describe(balanceDecline, given).tell).toBe(
    'Your payment of 120.00 HKD was more than your available balance. You were not charged. Your card is locked now: it has to be unlocked before you try again.',
  )
  expect(describe(balanceDecline, given, declineZhHant).tell).toContain('您的卡現已鎖定，須先解鎖才可再試。')
})

test('Chinese sentences have no spaces between them', () => {
  const { why, now, tell } = describe(
    limitDecline('dailyLimit'),
    { card: { dailyLimit: 150 }, spent: 50 },
    declineZhHant,
  )
  expect(why).toBe('交易金額 120.00 HKD 超出每日限額（150.00 HKD）的剩餘限額 100.00 HKD。')
  expect(now).toBe(
    '超出每日限額 20.00 HKD。沒有操作可以更改卡本身的限額。限額於 11 Nov, 00:00 HKT 重新計算，屆時可獲批核。現時最多可簽賬 100.00 HKD。',
  )
  expect(tell).toContain('您的交易金額 120.00 HKD 超出卡的每日限額（150.00 HKD）。沒有扣款。')
})

test('the words for the cardholder have their time in their own language', () => {
  const declined = decline(limitDecline('dailyLimit'), { card: { dailyLimit: 150 }, spent: 50 })
  const shown = (zone: PageZone) =>
    renderToString(
      <PageZoneProvider zone={zone}>
        <DeclineExplained {...declined} />
      </PageZoneProvider>,
    )
  expect(shown(hktZone)).toContain('You can try again from 11 Nov, 00:00 HKT.')
  expect(shown(hktZone)).toContain('可於 11月11日 00:00 香港時間 起再試。')
  const london = { choice: 'local', name: 'Europe/London', label: 'Local (London)' } as const
  expect(shown(london)).toContain('可於 11月10日 16:00 Europe/London 起再試。')
})

test('where buttons offer the steps, no sentence names them again', () => {
  const { now, steps } = describe(balanceDecline, { account: { balance: -450.5, available: 49.5 } }, declineEn, true)
  expect(now).toBe('The available balance is 70.50 HKD short. Up to 49.50 HKD passes now.')
  expect(steps).toEqual([{ step: { kind: 'set-limit', limit: '570.5' }, label: 'Set limit to 570.50 HKD' }])
})

import { beforeEach, expect, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import type { ActionInput } from '../actions.ts'
import { shareConsole } from '../testing/open-console.ts'
import { card, cardNumber, philippines, quoted, makeSubmission } from '../testing/payouts.ts'
import { listPayouts } from './list-payouts.ts'
import { readPayoutToRepeat } from './repeat-payout.ts'

const desk = shareConsole({ seeded: 1 })

beforeEach(async () => void (await desk.signIn('operations')))

async function submitted(
  parties: typeof philippines,
  change: Partial<ActionInput<'payout.submit'>> = {},
): Promise<string> {
  const result = await runAction('payout.submit', makeSubmission(await quoted(parties), parties, change))
  if (result.kind !== 'settled' || !result.operation.resultId) throw new Error(JSON.stringify(result))
  return result.operation.resultId
}

test('what this console submitted is taken over field by field, but the external id', async () => {
  const id = await submitted(philippines, { remarks: 'May', xid: 'payroll-2026-05' })
  const { fields, ...choices } = await readPayoutToRepeat('sandbox', id)
  expect(choices).toEqual({
    name: 'Maria Santos',
    method: 'BANK_TRANSFER',
    country: 'PH',
    currency: 'PHP',
    sourceCurrency: 'HKD',
  })
  expect(fields).toEqual({
    'destination.accountNumber': '001230456789',
    'destination.firstName': 'Maria',
    'destination.surname': 'Santos',
    'destination.address': '6780 Ayala Avenue, Makati 1226',
    purpose: 'salary',
    sourceOfFunds: 'business',
    remarks: 'May',
    amount: '100',
  })
})

test('a card number is never taken over', async () => {
  const found = await readPayoutToRepeat('sandbox', await submitted(card))
  expect(JSON.stringify(found)).not.toContain(cardNumber.slice(-6))
  expect(found.fields).not.toHaveProperty(['destination.accountNumber'])
})

test('an amount whose currency the record lacks is not taken over', async () => {
  const id = await submitted(philippines)
  const { json } = await desk.service.call('listPayouts', { query: { payoutId: id } })
  const payouts = (json as { payouts: object[] }).payouts.map((payout) => ({ ...payout, sourceCurrency: null }))
  desk.intercept.after = ({ url }) => (url?.includes(id) ? Response.json({ payouts, nextPageToken: '' }) : null)
  const { fields, sourceCurrency } = await readPayoutToRepeat('sandbox', id)
  expect(sourceCurrency).toBeNull()
  expect(fields).not.toHaveProperty('amount')
})

test('a payout created elsewhere fills the form from its record, and no name is split', async () => {
  const { payouts } = await listPayouts('sandbox', {})
  const other = payouts.find(
    ({ method, destination }) => method === 'BANK_TRANSFER' && destination.accountHolderName !== 'Maria Santos',
  )
  const { fields } = await readPayoutToRepeat('sandbox', other?.id ?? '')
  expect(fields).toMatchObject({
    'destination.accountNumber': other?.destination.accountNumber,
    amount: other?.sourceAmount,
  })
  expect(fields).not.toHaveProperty(['destination.surname'])
})

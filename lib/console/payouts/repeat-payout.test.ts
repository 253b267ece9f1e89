import { randomUUID } from 'node:crypto'
import { assert, beforeEach, expect, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import type { ActionInput } from '../actions.ts'
import { listPayoutBanks } from '../banks.ts'
import { shareConsole } from '../testing/open-console.ts'
import { card, cardNumber, philippines, quoted, makeSubmission } from '../testing/payouts.ts'
import { listPayouts } from './list-payouts.ts'
import { readPayoutToRepeat } from './repeat-payout.ts'
import type { PayoutRecord } from './types.ts'

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

test('the bank of a record is taken over where the list of its country has that bank under that code', async () => {
  const { json } = await desk.service.call('listPayouts', { query: {} })
  const [record] = (json as { payouts: PayoutRecord[] }).payouts.filter(({ method }) => method === 'BANK_TRANSFER')
  assert(record)
  const { banks } = await listPayoutBanks('sandbox', 'PH')
  const [bank] = banks
  assert(bank)
  const bankOf = async (change: object) => {
    const destination = {
      ...record.destination,
      country: 'PH',
      routingNumber: bank.code,
      bankName: bank.name,
      ...change,
    }
    const answer = { payouts: [{ ...record, id: randomUUID(), destination }], nextPageToken: '' }
    const id = answer.payouts[0]?.id ?? ''
    desk.intercept.after = ({ url }) => (url?.includes(id) ? Response.json(answer) : null)
    return (await readPayoutToRepeat('sandbox', id)).fields['destination.bankCode']
  }
  expect(await bankOf({})).toBe(bank.code)
  expect(await bankOf({ bankName: null })).toBe(bank.code)
  expect(await bankOf({ bankName: 'Another Bank' })).toBeUndefined()
  expect(await bankOf({ routingNumber: '000' })).toBeUndefined()
  expect(await bankOf({ country: 'QQ' })).toBeUndefined()
})

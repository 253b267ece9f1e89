import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CardAccountTransaction } from '#lib/contract/records.ts'
import { withSandbox } from '../sandbox.ts'
import { openTarget, type ScenarioService, type Target } from '../target.ts'
import { serveBuiltInService } from '../testing.ts'
import { build } from './build.ts'
import { makeAsk, readCase, type Subject } from './case.ts'
import { reproduce } from './reproduce.ts'

const seeded = 11

let service: { connection: ScenarioService; close: () => Promise<void> }
let target: Target
beforeAll(async () => {
  service = await serveBuiltInService(seeded)
  target = openTarget(service.connection)
})
afterAll(async () => {
  await target.close()
  await service.close()
})

/** What a reproduction in a sandbox of its own lacks: failed steps and differences of the state. */
async function lacking(subject: Subject): Promise<string[]> {
  const original = await readCase(makeAsk(target), subject, new Date())
  if (!original) return [`There is no ${subject.type} ${subject.id}.`]
  const lacks: string[] = []
  await withSandbox(service.connection, async (inside) => {
    const { report, differences } = await build(original, reproduce(original, 'schema.json'), inside)
    const failed = report.steps.filter(({ outcome }) => outcome !== 'passed').slice(0, 1)
    lacks.push(...failed.map((step) => JSON.stringify(step)), ...(differences ?? ['not read']))
  })
  return lacks
}

async function newestAccounts() {
  return (await makeAsk(target)('listCardAccounts', { pageSize: '100' })).cardaccounts
}

test('every seeded account ends in its state', { timeout: 600_000 }, async () => {
  const accounts = await newestAccounts()
  expect(accounts).toHaveLength(seeded)
  for (const { id } of accounts) expect(await lacking({ type: 'account', id }), id).toEqual([])
})

test('a transaction of each kind ends in the original’s state', { timeout: 600_000 }, async () => {
  const kinds = new Map<string, { cardAccountId: string; entry: CardAccountTransaction }>()
  for (const { id: cardAccountId } of await newestAccounts()) {
    const { transactions } = await makeAsk(target)('listCardAccountTransactions', { cardAccountId, pageSize: '100' })
    for (const entry of transactions) {
      const kind = `${entry.intent} ${entry.status} ${entry.disputeStatus ? 'disputed' : ''}`
      if (!kinds.has(kind)) kinds.set(kind, { cardAccountId, entry })
    }
  }
  expect(kinds.size).toBeGreaterThan(10)
  for (const [kind, { cardAccountId, entry }] of kinds)
    expect(await lacking({ type: 'transaction', id: entry.id, cardAccountId }), kind).toEqual([])
})

test(
  'a payout of each status ends in its state, but for what only another service sets',
  { timeout: 600_000 },
  async () => {
    const { payouts } = await makeAsk(target)('listPayouts', { pageSize: '100' })
    const kinds = new Map(payouts.map((payout) => [`${payout.status} ${payout.subStatus} ${payout.method}`, payout]))
    const lacks = new Map<string, string[]>()
    for (const [kind, { id }] of kinds) lacks.set(kind, await lacking({ type: 'payout', id }))
    const incomplete = [...lacks].filter(([, found]) => found.length > 0)
    expect(incomplete.map(([kind]) => kind).toSorted()).toEqual([
      'completed ORDER_COMPLETED BANK_WIRE',
      expect.stringMatching(/^processing AWAITING_LOCAL_CLEARING_WINDOW /),
      expect.stringMatching(/^under-recall ORDER_SENT_TO_BANK /),
    ])
  },
)

test('a difference of the state is found', async () => {
  const [account] = await newestAccounts()
  const original = await readCase(makeAsk(target), { type: 'account', id: account?.id ?? '' }, new Date())
  if (original?.kind !== 'account') throw new Error('no account')
  const [entry, ...others] = original.transactions
  const changed = { ...original, transactions: entry ? [{ ...entry, amount: (entry.amount ?? 0) + 1 }, ...others] : [] }
  await withSandbox(service.connection, async (inside) => {
    const { differences } = await build(changed, reproduce(original, 'schema.json'), inside)
    expect(differences).toEqual([
      expect.stringMatching(/^transactions: missing:/),
      expect.stringMatching(/^transactions: not in the original:/),
    ])
  })
})

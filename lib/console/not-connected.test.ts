import { expect, test } from 'vitest'
import type { ReadName } from '#lib/api/reads.ts'
import { reads } from './reads.ts'
import { shareConsole } from './testing/open-console.ts'

const id = '11111111-1111-4111-8111-111111111111'
const desk = shareConsole({ seeded: 1 })

type AnyRead = (environment: 'production', ...ids: string[]) => Promise<unknown>

const recordReads: [ReadName, ...ids: string[]][] = [
  ['readCardAccount', id],
  ['explainBalance', id],
  ['readCard', id, id],
  ['readTransaction', id, id],
  ['readFee', id],
  ['readPayout', id],
  ['readPayoutToRepeat', id],
  ['readIdentityCase', id],
  ['readReference', 'cardaccount', id],
  ['readReference', 'card', id],
  ['readReference', 'payout', id],
]

test.each(recordReads)('%s of an environment that is not connected says so', async (name, ...ids) => {
  await desk.signIn('operations')
  await expect((reads[name] as AnyRead)('production', ...ids)).rejects.toMatchObject({ code: 'NOT_CONNECTED' })
})

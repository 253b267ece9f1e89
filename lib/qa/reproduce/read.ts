import 'server-only'
import { z } from 'zod'
import { recordAudit } from '#lib/audit/chain.ts'
import { requireCurrentStaff } from '#lib/auth/session.ts'
import type { Staff } from '#lib/auth/types.ts'
import { inputFor } from '#lib/client/prepare.ts'
import { database } from '#lib/db/connection.ts'
import { readServiceClock } from '#lib/environments/control-plane.ts'
import { callService } from '#lib/environments/environments.ts'
import { findLab } from '#lib/environments/lab.ts'
import { readCase, type Ask, type Case, type Subject } from '#lib/qa/scenarios/reproduce/case.ts'
import { reproduce, type Reproduction } from '#lib/qa/scenarios/reproduce/reproduce.ts'
import { AppError, nullOn } from '#lib/shared/app-error.ts'
import { EnvironmentName, parseInput, ServiceId } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { scenarioSchemaUrl } from '../lab/scenario-file.ts'
import type { ReadReproduction } from './types.ts'

/** A record that can be reproduced, as a request names it. */
export const ReproduceInput = z
  .strictObject({
    environment: EnvironmentName,
    type: z.enum(['account', 'transaction', 'payout'], 'must be account, transaction or payout'),
    id: ServiceId,
    /** The card account of a transaction. */
    cardAccountId: ServiceId.optional(),
  })
  .refine(({ type, cardAccountId }) => type !== 'transaction' || cardAccountId !== undefined, {
    path: ['cardAccountId'],
    message: 'must be the card account of the transaction',
  })
export type ReproduceInput = z.output<typeof ReproduceInput>

/** The scenario that reaches the state of a record, with an entry in the audit log. */
export async function readReproduction(
  environment: Environment,
  type: string,
  id: string,
  search: { cardAccountId?: string | string[] },
): Promise<ReadReproduction> {
  const given = parseInput(ReproduceInput, { environment, type, id, ...search })
  const { staff } = await requireCurrentStaff()
  const { reproduction } = await reproduced(given)
  await auditReproduction(given, staff, 'case.reproduce')
  return { ...reproduction, hasLab: findLab('sandbox') === 'built-in' }
}

/**
 * A record's case and its reproduction: the records as the service has them, unmasked, so that no reader's mask decides what is in the
 * file. Throws `CARD_ACCOUNT_NOT_FOUND`, `TRANSACTION_NOT_FOUND` or `PAYOUT_NOT_FOUND`.
 */
export async function reproduced(given: ReproduceInput): Promise<{ original: Case; reproduction: Reproduction }> {
  const { environment } = given
  const ask: Ask = async (name, query) => (await callService(environment, name, inputFor(name, { query }))).response
  const { serviceAt } = await readServiceClock(environment)
  const reading = readCase(ask, toSubject(given), serviceAt)
  // An id that the service can't have is the id of no record.
  const original = await nullOn(reading, 'INVALID_PARAMETERS', 'CARD_ACCOUNT_NOT_FOUND', 'TRANSACTION_NOT_FOUND')
  if (!original) throw new AppError(notFound[given.type], 'There is no such record in this environment.')
  return { original, reproduction: reproduce(original, scenarioSchemaUrl()) }
}

const notFound = {
  account: 'CARD_ACCOUNT_NOT_FOUND',
  transaction: 'TRANSACTION_NOT_FOUND',
  payout: 'PAYOUT_NOT_FOUND',
} as const

function toSubject({ type, id, cardAccountId = '' }: ReproduceInput): Subject {
  return type === 'transaction' ? { type, id, cardAccountId } : { type, id }
}

const auditTypes = { account: 'cardaccount', transaction: 'transaction', payout: 'payout' } as const

export async function auditReproduction(
  { environment, type, id, cardAccountId }: ReproduceInput,
  by: Staff,
  act: 'case.reproduce' | 'case.build',
): Promise<void> {
  const target = { type: auditTypes[type], id, parentId: cardAccountId ?? null, label: null }
  await recordAudit(database(), { by, environment, act, target, outcome: 'done' })
}

import 'server-only'
import { z } from 'zod'
import type { CardAccount } from '#lib/contract/records.ts'
import { database } from '#lib/db/connection.ts'
import { limitProblem, plainLimit } from '#lib/shared/limit-text.ts'
import { amount, toWire } from '#lib/shared/money.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { act, ActionInput, Id, type ActionRequest, type ActionResult } from '../act.ts'
import { readOneAccount } from '../directory/account.ts'
import { Reason } from '../fees/reason.ts'
import { announce } from '../live/announce.ts'
import { changesOfOperation } from '../live/operation-changes.ts'
import { logFailure } from '../log.ts'
import { findOperation, targetOf, type OperationRow } from '../operations/journal.ts'
import { isRefusal } from '../refusal.ts'

const SetLimit = ActionInput.extend({
  cardAccountId: Id,
  /** Decimal text in the account's currency, its thousands grouped or not. */
  limit: z.string('must be text').max(40, 'must be a plain number'),
  /** The limit that the person saw: where it is another one by now, nothing is sent. */
  limitBefore: z.number('must be the limit that was shown'),
  reason: Reason.optional(),
})
type SetLimit = z.output<typeof SetLimit>

export type SetLimitInput = z.input<typeof SetLimit>
/** `account` is the account as read afterwards, null where it could not be read. */
export type SetLimitResult = ActionResult<{ account: CardAccount | null }>

/** Sets the fixed limit of one account. */
export function setLimit(input: SetLimitInput): Promise<SetLimitResult> {
  return act(
    {
      kind: 'account.set-limit',
      permission: 'limits.set',
      input: SetLimit,
      about: (uuidOf) => {
        const id = uuidOf('cardAccountId')
        return id ? { type: 'cardaccount', id, parentId: null, label: null } : null
      },
      prepare,
    },
    input,
    async (row, { environment, cardAccountId }) => ({ account: await readBack(environment, cardAccountId, row) }),
  )
}

async function prepare(input: SetLimit): Promise<ActionRequest | { fields: Record<string, string> }> {
  const { environment, operationId, cardAccountId, limit, limitBefore, reason = null } = input
  // The account first: an operation that began before it was read is found afterwards.
  const { account } = await readOneAccount(environment, cardAccountId).catch((error: unknown) => {
    if (isRefusal(error)) return { account: error }
    throw error
  })
  const begun = await findOperation(database(), operationId)
  // A retry finds the limit as its own first sending may have left it: the same operation is settled, nothing is judged anew.
  const isRetry = begun?.targetId === cardAccountId
  if (account instanceof Error && !isRetry) throw account
  const known = isRetry || account instanceof Error ? null : account
  const problem = limitProblem(limit, known?.currency ?? null) ?? (known && problemWith(known, limit, limitBefore))
  if (problem) return { fields: { limit: problem } }
  return {
    target: isRetry
      ? targetOf(begun)
      : { type: 'cardaccount', id: cardAccountId, parentId: null, label: known?.name ?? null },
    endpoint: 'setFixedLimit',
    // To an account's limit what the status is to a card: the audit trail tells what it was.
    statusBefore: isRetry ? begun.statusBefore : known && amount(known.limit).toFixed(),
    body: { cardAccountId, limit: toWire(amount(plainLimit(limit))) },
    reason,
  }
}

function problemWith(
  { accountType, currency, limit }: CardAccount,
  entered: string,
  limitBefore: number,
): string | null {
  if (accountType === 'prepaid') return 'cannot be set: a prepaid account has no limit'
  if (!amount(limit).eq(limitBefore)) return `was changed meanwhile: it is ${amount(limit).toFixed()} ${currency} now`
  if (amount(plainLimit(entered)).eq(limit)) return 'is that already; enter another one'
  return null
}

/** The truth afterwards: the directory learns it, and the open pages are told once it has. */
async function readBack(environment: Environment, id: string, row: OperationRow): Promise<CardAccount | null> {
  try {
    const { account } = await readOneAccount(environment, id)
    announce(environment, changesOfOperation(row))
    return account
  } catch (error) {
    if (!isRefusal(error)) logFailure(error, { while: 'reading an account back', operation: row.id })
    return null
  }
}

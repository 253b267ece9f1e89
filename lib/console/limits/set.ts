import 'server-only'
import { z } from 'zod'
import type { CardAccount } from '#lib/contract/records.ts'
import { database } from '#lib/db/connection.ts'
import { limitProblem, plainLimit } from '#lib/shared/limit-text.ts'
import { amount, toWire } from '#lib/shared/money.ts'
import { readOneAccount } from '../desk/mirror/account.ts'
import { act, ActionInput, type ActionRequest, type ActionResult } from '../desk/operations/act.ts'
import { findOperation, targetOf } from '../desk/operations/journal.ts'
import { ServiceId } from '../desk/parse.ts'
import { isRefusal } from '../desk/refusal.ts'
import { Reason } from '../fees/reason.ts'

const SetLimit = ActionInput.extend({
  cardAccountId: ServiceId,
  /** Decimal text in the account's currency, its thousands grouped or not. */
  limit: z.string('must be text').max(40, 'must be a plain number'),
  /** The limit on the screen, null where the service did not provide it: where it changed meanwhile, nothing is sent. */
  limitBefore: z.number('must be the limit that was shown').nullable(),
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
      about: (idIn) => {
        const id = idIn('cardAccountId')
        return id ? { type: 'cardaccount', id, parentId: null, label: null } : null
      },
      prepare,
    },
    input,
    (record) => ({ account: record as CardAccount | null }),
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
    // `statusBefore` holds the previous limit, for the audit trail.
    statusBefore: isRetry ? begun.statusBefore : decimalText(known?.limit),
    body: { cardAccountId, limit: toWire(amount(plainLimit(limit))) },
    reason,
  }
}

function problemWith(
  { accountType, currency, limit }: CardAccount,
  entered: string,
  limitBefore: number | null,
): string | null {
  if (accountType === 'prepaid') return 'cannot be set: a prepaid account has no limit'
  if (decimalText(limit) !== decimalText(limitBefore)) {
    return `was changed meanwhile: it is ${decimalText(limit) ?? 'not provided'} ${currency ?? ''} now`
  }
  if (limit !== null && amount(plainLimit(entered)).eq(limit)) return 'is that already; enter another one'
  return null
}

function decimalText(limit: number | null | undefined): string | null {
  return limit === null || limit === undefined ? null : amount(limit).toFixed()
}

import 'server-only'
import { z } from 'zod'
import type { CardAccount } from '#lib/contract/records.ts'
import { readOneAccount } from '#lib/index/account.ts'
import {
  ActionInput,
  operationSpec,
  shown,
  unreadable,
  type Checked,
  type Issues,
  type OperationRequest,
  accountTarget,
  accountTargetIn,
} from '#lib/operations/spec.ts'
import { formatAmount } from '#lib/shared/currency.ts'
import { firstFields } from '#lib/shared/json.ts'
import { limitProblem, plainLimit } from '#lib/shared/limit-text.ts'
import { amount, toWire } from '#lib/shared/money.ts'
import { ServiceId } from '#lib/shared/parse.ts'

const SetLimit = ActionInput.extend({
  cardAccountId: ServiceId,
  /** Decimal text in the account's currency, its thousands grouped or not. */
  limit: z.string('must be text').max(40, 'must be a plain number'),
  /** The limit on the screen, null where the service did not provide it: if it has changed, nothing is sent. */
  limitBefore: z.number('must be the limit that was shown').nullable(),
})

export const limitOperations = {
  /** Sets the fixed limit of one account. */
  'account.set-limit': operationSpec({
    endpoint: 'setFixedLimit',
    input: SetLimit,
    target: accountTargetIn,
    request({ cardAccountId, limit, limitBefore, reason }): OperationRequest | Issues {
      const problem = limitProblem(limit, null)
      if (problem) return { fields: { limit: problem } }
      const isRaise = limitBefore !== null && amount(plainLimit(limit)).gt(limitBefore)
      if (isRaise && !reason) return { fields: { reason: 'must be given for a higher limit' } }
      return {
        target: accountTarget(cardAccountId),
        body: { cardAccountId, limit: toWire(amount(plainLimit(limit))) },
      }
    },
    async check({ environment, cardAccountId, limit, limitBefore }) {
      const { account } = await readOneAccount(environment, cardAccountId)
      const problem = limitProblem(limit, account.currency) ?? problemWith(account, limit, limitBefore)
      if (problem) return { fields: { limit: problem } }
      return {
        target: accountTarget(cardAccountId, account.name),
        // `statusBefore` holds the previous limit, for the audit trail.
        statusBefore: decimalText(account.limit),
        ...raise(account, amount(plainLimit(limit)).toFixed()),
      }
    },
    async readBack({ environment, targetId }, sent) {
      const { account } = await readOneAccount(environment, targetId)
      if (account.limit === null || typeof sent.limit !== 'number') {
        return unreadable('The card service does not report the limit of this account.', account)
      }
      const now = amount(account.limit)
      const detail = `The limit is ${`${now.toFixed()} ${account.currency ?? ''}`.trim()}.`
      return shown(now.eq(sent.limit), now.toFixed(), detail, account)
    },
    isShownBy: (_row, _sent, { body }) => firstFields(body).success === true,
    changes: ({ targetId }) => [{ type: 'cardaccount', id: targetId }],
  }),
}

/** A limit that is not known before may be raised. */
function raise({ name, currency, limit }: CardAccount, wanted: string): Pick<Checked, 'policy'> {
  if (limit !== null && amount(wanted).lte(limit)) return {}
  const money = (value: string) => `${formatAmount(value, currency)} ${currency ?? ''}`.trim()
  const before = decimalText(limit)
  const from = before === null ? '' : ` from ${money(before)}`
  const effect = `Raises the fixed limit of ${name ?? 'the account'}${from} to ${money(wanted)}.`
  return { policy: { topic: 'limit-raises', effect, amounts: [{ amount: wanted, currency }] } }
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

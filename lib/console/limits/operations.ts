import 'server-only'
import { z } from 'zod'
import { limitProblem, plainLimit } from '#lib/contract/limit-text.ts'
import type { CardAccount } from '#lib/contract/records.ts'
import { readOneAccount } from '#lib/index/account.ts'
import {
  OperationInput,
  operationSpec,
  doneOrNot,
  unreadable,
  type Checked,
  type Issues,
  type OperationRequest,
  accountTarget,
  accountTargetIn,
  type Obstacle,
} from '#lib/operations/spec.ts'
import { moneyText } from '#lib/shared/currency.ts'
import { firstFields } from '#lib/shared/json.ts'
import { amount, exactText, toAmount, toWire } from '#lib/shared/money.ts'
import { ServiceId } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'

const SetLimit = OperationInput.extend({
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
      const isRaise = toAmount(limitBefore)?.lt(plainLimit(limit))
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
        statusBefore: exactText(account.limit),
        ...raise(account, amount(plainLimit(limit)).toFixed()),
      }
    },
    inJob: { check: ({ environment, target, facts }) => findObstacle(environment, target.id, facts.limitBefore) },
    checkApproved: ({ environment, targetId, statusBefore }) => findObstacle(environment, targetId, statusBefore),
    async readBack({ environment, targetId }, sent) {
      const { account } = await readOneAccount(environment, targetId)
      if (account.limit === null || typeof sent.limit !== 'number') {
        return unreadable('The card service does not report the limit of this account.', account)
      }
      const now = amount(account.limit)
      const detail = `The limit is ${moneyText(account.limit, account.currency)}.`
      return doneOrNot(now.eq(sent.limit), now.toFixed(), detail, account)
    },
    isShownBy: (_row, _sent, { body }) => firstFields(body).success === true,
    changes: ({ targetId }) => [{ type: 'cardaccount', id: targetId }],
  }),
}

/** A limit that somebody changed after this one was confirmed stays: it may have been cut for a reason. */
async function findObstacle(
  environment: Environment,
  accountId: string,
  limitBefore: string | null | undefined,
): Promise<Obstacle | null> {
  if (!limitBefore) return null
  const { account } = await readOneAccount(environment, accountId)
  const isSame = toAmount(account.limit)?.eq(limitBefore) ?? true
  if (isSame) return null
  return { text: `The limit was changed meanwhile: it is ${moneyText(account.limit, account.currency)} now.` }
}

/** A limit that is not known before may be raised. */
function raise({ name, currency, limit }: CardAccount, wanted: string): Pick<Checked, 'policy'> {
  if (toAmount(limit)?.gte(wanted)) return {}
  const from = limit === null ? '' : ` from ${moneyText(limit, currency)}`
  const effect = `Raises the fixed limit of ${name ?? 'the account'}${from} to ${moneyText(wanted, currency)}.`
  return { policy: { topic: 'limit-raises', effect, amounts: [{ amount: wanted, currency }] } }
}

function problemWith(
  { accountType, currency, limit }: CardAccount,
  entered: string,
  limitBefore: number | null,
): string | null {
  if (accountType === 'prepaid') return 'cannot be set: a prepaid account has no limit'
  if (exactText(limit) !== exactText(limitBefore)) {
    return `was changed meanwhile: it is ${limit === null ? 'not provided' : moneyText(limit, currency)} now`
  }
  if (toAmount(limit)?.eq(plainLimit(entered))) return 'is that already; enter another one'
  return null
}

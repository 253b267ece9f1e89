import 'server-only'
import { z } from 'zod'
import { limitProblem, plainLimit } from '#lib/contract/limit-text.ts'
import { toAmount } from '#lib/shared/money.ts'
import { lacking } from '#lib/shared/provided.ts'
import { countLeftOut, jobKind, rowsText } from '../bulk/plan.ts'
import { findChosenAccounts } from '../card-accounts/chosen.ts'
import { limitItem, readLimitLines } from './lines.ts'

const Settings = z.strictObject({
  /** Decimal text, its thousands grouped or not. */
  limit: z.string().max(40, 'must be a plain number'),
  /** Accounts of another currency are left out. */
  currency: z.string().min(1, 'must be given').max(16),
})

/** Sets one fixed limit on many accounts of a currency. What a limit is left out for is a sentence. */
export const limitJob = jobKind({
  settings: Settings,
  issues: ({ limit, currency }): Record<string, string> => {
    const problem = limitProblem(limit, currency)
    return problem ? { limit: problem } : {}
  },
  title: (rows) => `Set ${rowsText(rows, 'fixed limit')}`,
  async plan({ environment, ids, filters, settings: { limit, currency } }) {
    const { accounts, unknown, isTruncated, asOf } = await findChosenAccounts(environment, ids, filters)
    const isOther = ({ currency: own }: { currency: string | null }) => own !== null && own !== currency
    const requested = accounts
      .filter((one) => !isOther(one))
      .map(({ id }, index) => ({
        line: index + 1,
        cardAccountId: id,
        xid: null,
        limit: plainLimit(limit),
        problem: null,
      }))
    const read = await readLimitLines(environment, requested)
    const good = lacking(read.lines, 'problem')
    const isRaise = ({ limitNow, limitNew }: (typeof good)[number]) => !toAmount(limitNow)?.gte(limitNew)
    return {
      items: good.flatMap(limitItem),
      leftOut: [
        ...countLeftOut([
          ...accounts.filter(isOther).map((one) => `The account is in ${one.currency}.`),
          ...read.lines.flatMap(({ problem }) => problem ?? []),
        ]),
        ...unknown,
      ],
      isTruncated,
      asOf: read.asOf ?? asOf,
      effect: {
        limits: {
          raised: good.filter(isRaise).length,
          belowOutstanding: good.filter(({ isBelowOutstanding }) => isBelowOutstanding).length,
        },
      },
    }
  },
})

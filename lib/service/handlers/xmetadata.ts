import { eq } from 'drizzle-orm'
import type { ErrorCode } from '#lib/contract/errors.ts'
import type { XmetadataTargetType } from '#lib/contract/xmetadata.ts'
import { ApiError } from '../api-error.ts'
import { claimXid, releaseXid } from '../external-ids.ts'
import type { Handlers } from '../handler.ts'
import { cardAccounts } from '../tables/card-accounts.ts'
import { cards } from '../tables/cards.ts'
import { payouts } from '../tables/payouts.ts'

type Target = { table: typeof cardAccounts | typeof cards | typeof payouts; name: string; notFound: ErrorCode }

const targets: Record<XmetadataTargetType, Target> = {
  cardaccount: { table: cardAccounts, name: 'card account', notFound: 'CARD_ACCOUNT_NOT_FOUND' },
  card: { table: cards, name: 'card', notFound: 'CARD_NOT_FOUND' },
  payout: { table: payouts, name: 'payout', notFound: 'PAYOUT_NOT_FOUND' },
}

export const xmetadataHandlers = {
  /** A field that is left out stays as it is, null removes it. */
  setXmetadata: async ({ body }, { db }) => {
    const { target } = body
    const { table, name, notFound } = targets[target.type]
    const [before] = await db
      .select({ xid: table.xid, xmetadata: table.xmetadata })
      .from(table)
      .where(eq(table.id, target.id))
      .for('update')
    if (!before) throw new ApiError(notFound, `there is no such ${name}`)

    const xid = body.xid === undefined ? before.xid : body.xid
    const xmetadata = body.xmetadata === undefined ? before.xmetadata : body.xmetadata
    if (xid !== before.xid) {
      if (before.xid !== null) await releaseXid(db, before.xid)
      if (xid !== null) await claimXid(db, xid, target)
    }
    await db.update(table).set({ xid, xmetadata }).where(eq(table.id, target.id))
    return { target, xid, xmetadata }
  },
} satisfies Partial<Handlers>

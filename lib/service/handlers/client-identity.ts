import { eq } from 'drizzle-orm'
import type { ClientIdentity } from '#lib/contract/client-identity.ts'
import { rejectionReasons } from '#lib/contract/terms.ts'
import type { Queryable, Transaction } from '#lib/db/connection.ts'
import { ApiError } from '../api-error.ts'
import { requireFound } from '../card-account-record.ts'
import { selectClientIdentities, toClientIdentity, type ClientIdentityRow } from '../client-identity-record.ts'
import { recordEvent } from '../events.ts'
import type { Handlers } from '../handler.ts'
import { cardAccounts } from '../tables/card-accounts.ts'

export const clientIdentityHandlers = {
  getClientIdentity: async ({ query }, { db }) => {
    const [row] = await selectClientIdentities(db).where(eq(cardAccounts.id, query.cardAccountId))
    return toClientIdentity(requireFound(row))
  },

  resubmitClientIdentity: async ({ body }, { db }) => {
    const row = await lockClientIdentity(db, body.cardAccountId)
    if (row.clientIdentityStatus !== 'rejected') {
      throw new ApiError(
        'INVALID_PARAMETERS',
        `cardAccountId: only a rejected client identity can be submitted again, this one is ${row.clientIdentityStatus}`,
      )
    }
    return writeClientIdentity(db, {
      ...row,
      clientIdentityStatus: 'pending',
      rejectedReason: null,
      rejectionAdditionalInfo: null,
      individual: body.individual,
    })
  },

  /** Either outcome, from any status. The event carries the xid that the account has at this moment. */
  simulateClientIdentityStatus: async ({ body }, change) => {
    const { db } = change
    const row = await lockClientIdentity(db, body.cardAccountId)
    const data = { cardAccountId: row.id, xid: row.xid }
    if (body.action === 'approve') {
      await recordEvent(change, 'cardaccount.client-identity.approved', data)
      return writeClientIdentity(db, {
        ...row,
        clientIdentityStatus: 'approved',
        rejectedReason: null,
        rejectionAdditionalInfo: null,
      })
    }
    const { rejectedReason = rejectionReasons[0], rejectionAdditionalInfo = '' } = body
    await recordEvent(change, 'cardaccount.client-identity.rejected', {
      ...data,
      rejectedReason,
      rejectionAdditionalInfo,
    })
    return writeClientIdentity(db, {
      ...row,
      clientIdentityStatus: 'rejected',
      rejectedReason,
      rejectionAdditionalInfo: rejectionAdditionalInfo || null,
    })
  },
} satisfies Partial<Handlers>

async function lockClientIdentity(db: Queryable, cardAccountId: string): Promise<ClientIdentityRow> {
  const [row] = await selectClientIdentities(db).where(eq(cardAccounts.id, cardAccountId)).for('update')
  return requireFound(row)
}

async function writeClientIdentity(db: Transaction, row: ClientIdentityRow): Promise<ClientIdentity> {
  const { clientIdentityStatus, rejectedReason, rejectionAdditionalInfo, individual } = row
  await db
    .update(cardAccounts)
    .set({ clientIdentityStatus, rejectedReason, rejectionAdditionalInfo, individual })
    .where(eq(cardAccounts.id, row.id))
  return toClientIdentity(row)
}

import { randomUUID } from 'node:crypto'
import { occupations, positions } from '#lib/contract/occupations.ts'
import { amount, roundToMinorUnit } from '#lib/shared/money.ts'
import { toCardAccount } from '../card-account-record.ts'
import { recordEvent } from '../events.ts'
import { claimXid } from '../external-ids.ts'
import type { Handlers } from '../handler.ts'
import { cardAccounts } from '../tables/card-accounts.ts'

export const cardAccountOpeningHandlers = {
  /** A new account has balance 0, and its client identity is pending. */
  createCardAccount: async ({ body }, { db, now }) => {
    const id = randomUUID()
    if (body.xid) await claimXid(db, body.xid, { type: 'cardaccount', id })
    const row = {
      id,
      xid: body.xid ?? null,
      xmetadata: body.xmetadata ?? null,
      name: body.name,
      phoneNumber: body.phoneNumber,
      identityType: body.identityType,
      accountType: body.accountType,
      currency: body.currency,
      limit: roundToMinorUnit(amount(body.limit ?? 0), body.currency).toString(),
      balance: '0',
      openingBalance: '0',
      disputeAmount: '0',
      clientIdentityStatus: 'pending' as const,
      rejectedReason: null,
      rejectionAdditionalInfo: null,
      createdAt: now,
    }
    await db.insert(cardAccounts).values({ ...row, individual: body.individual })
    const account = toCardAccount(row)
    await recordEvent(db, now, 'cardaccount.created', account)
    return account
  },

  listOccupations: async () => ({ occupations: [...occupations] }),

  listPositions: async () => ({ positions: [...positions] }),
} satisfies Handlers<'createCardAccount' | 'listOccupations' | 'listPositions'>

import 'server-only'
import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { database } from '#lib/db/connection.ts'
import { openBody, type OperationRow } from '#lib/operations/journal.ts'
import { withoutCardNumbers } from '#lib/shared/card-numbers.ts'
import { asFields } from '#lib/shared/json.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { operations } from '#lib/tables/operations.ts'
import { readFundingAccountNames } from '../funding-accounts.ts'
import type { SentPayout } from './types.ts'

const text = z.string().nullable().catch(null)
const Body = z.object({
  destination: z.preprocess(
    asFields,
    z.object({
      accountNumber: text,
      firstName: text,
      surname: text,
      firstNameCN: text,
      surnameCN: text,
      bankCode: text,
      address: text,
      mobileNumber: text,
      email: text,
    }),
  ),
  source: z.preprocess(asFields, z.object({ mobileNumber: text })),
  purpose: text,
  sourceOfFunds: text,
  remarks: text,
  xid: text,
})
const Expected = z.object({
  accountId: text,
  sourceAmount: text,
  sourceCurrency: text,
  destinationAmount: text,
  destinationCurrency: text,
  method: text,
  country: text,
  xid: text,
})

/** The facts that a payout was checked with, before it was sent; null what the journal does not have. */
export function expectedPayout({ expected }: Pick<OperationRow, 'expected'>): z.output<typeof Expected> {
  return Expected.parse(expected ?? {})
}

/** The request of a payout, sent or waiting, from the journal. Erased parts are null. */
export async function readSentPayout(row: OperationRow): Promise<SentPayout | null> {
  if (row.kind !== 'payout.submit') return null
  const expected = expectedPayout(row)
  const { destination, source, ...details } = Body.parse(asFields(bodyIn(row)))
  const accountId = expected.accountId ?? row.targetParentId
  const findName = await readFundingAccountNames(row.environment)
  const { accountNumber, firstName, surname, firstNameCN, surnameCN, bankCode, address, ...contacts } = destination
  const name = [[firstName, surname].filter(Boolean).join(' '), [surnameCN, firstNameCN].join('')]
  return {
    ...expected,
    quoteId: row.targetId,
    accountId,
    accountName: findName(accountId),
    beneficiary: name.filter(Boolean).join(' · ') || null,
    accountNumber: accountNumber && withoutCardNumbers(accountNumber),
    bankCode,
    accountHolderAddress: address,
    destination: contacts,
    source,
    purpose: details.purpose ?? row.reason,
    sourceOfFunds: details.sourceOfFunds,
    remarks: details.remarks ?? row.comment,
    xid: details.xid ?? expected.xid,
  }
}

/** The operation with which this console submitted a payout; undefined where it came another way. */
export async function findSubmission(environment: Environment, payoutId: string): Promise<OperationRow | undefined> {
  const { environment: ofRow, resultId, kind } = operations
  const [row] = await database()
    .select()
    .from(operations)
    .where(and(eq(ofRow, environment), eq(resultId, payoutId), eq(kind, 'payout.submit')))
    .limit(1)
  return row
}

/** The stored body; null where it was erased or cannot be opened: sealed with a lost key. */
export function bodyIn(row: OperationRow): unknown {
  try {
    return JSON.parse(openBody(row)?.toString('utf8') ?? 'null')
  } catch {
    return null
  }
}

import 'server-only'
import { z } from 'zod'
import { openBody, type OperationRow } from '#lib/operations/journal.ts'
import { withoutCardNumbers } from '#lib/shared/card-numbers.ts'
import { fundingAccountNames } from '../funding-accounts.ts'
import type { SentPayout } from './types.ts'

const text = z.string().optional().catch(undefined)
const Body = z.object({
  destination: z
    .object({
      accountNumber: text,
      firstName: text,
      surname: text,
      firstNameCN: text,
      surnameCN: text,
      bankCode: text,
      address: text,
    })
    .catch({}),
  purpose: text,
  sourceOfFunds: text,
  remarks: text,
  xid: text,
})

/** The request of a payout, sent or waiting, from the journal. Erased parts are null. */
export async function readSentPayout(row: OperationRow): Promise<SentPayout | null> {
  if (row.kind !== 'payout.submit') return null
  const { expected, targetParentId, targetId } = row
  const { destination, ...details } = Body.catch({ destination: {} }).parse(bodyIn(row))
  const accountId = expected?.accountId ?? targetParentId
  const names = await fundingAccountNames(row.environment)
  const { accountNumber, firstName, surname, firstNameCN = '', surnameCN = '', bankCode, address } = destination
  const name = [`${firstName ?? ''} ${surname ?? ''}`.trim(), `${surnameCN}${firstNameCN}`].filter(
    (part) => part !== '',
  )
  return {
    quoteId: targetId,
    accountId,
    accountName: names.get(accountId?.toLowerCase() ?? '') ?? null,
    sourceAmount: expected?.sourceAmount ?? null,
    sourceCurrency: expected?.sourceCurrency ?? null,
    destinationAmount: expected?.destinationAmount ?? null,
    destinationCurrency: expected?.destinationCurrency ?? null,
    method: expected?.method ?? null,
    country: expected?.country ?? null,
    beneficiary: name.length === 0 ? null : name.join(' · '),
    accountNumber: accountNumber === undefined ? null : withoutCardNumbers(accountNumber),
    bankCode: bankCode ?? null,
    accountHolderAddress: address ?? null,
    purpose: details.purpose ?? row.reason,
    sourceOfFunds: details.sourceOfFunds ?? null,
    remarks: details.remarks ?? row.comment,
    xid: details.xid ?? expected?.xid ?? null,
  }
}

/** The stored body; null where it was erased or cannot be opened. */
function bodyIn(row: OperationRow): unknown {
  try {
    return JSON.parse(openBody(row)?.toString('utf8') ?? 'null')
  } catch {
    return null
  }
}

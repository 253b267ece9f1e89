import { findRead, type ReadName } from '#lib/shared/reads.ts'
import type { CsvCell } from '../desk/csv/write.ts'
import type { reads } from '../reads.ts'

/** How an instant is written: `2026-11-21 15:04:05` in the zone that the file names. */
export type InstantText = (instant: string | null | undefined) => string | null

/** A column of the file. `of` is the column of the list's table that it belongs to. */
type Column<Row> = { name: string; of?: string; value: (row: Row, at: InstantText) => CsvCell }

/** How a page of a list becomes rows of a file. `coverage` says what the console's mirror of a list lacks. */
export type Export<Page> = {
  title: string
  rows: (page: Page) => readonly unknown[]
  columns: readonly Column<unknown>[]
}
/** What a page says of records that are missing in it (`excluded`), in the whole list (`coverage`), or after it (`isCut`). */
export type ExportPage = {
  nextPageToken: string | null
  excluded?: number
  coverage?: { excluded: number; isComplete: boolean }
  isCut?: boolean
}
type Exports = { [Name in ReadName]?: Export<Awaited<ReturnType<(typeof reads)[Name]>>> }

/** Ties the rows that the columns get to those that `rows` gives. */
function exportOf<Page extends ExportPage, Row>(row: {
  title: string
  rows: (page: Page) => readonly Row[]
  columns: readonly Column<Row>[]
}): Export<Page> {
  return row as Export<Page>
}

/** The lists that can be exported, by the name of their read. The file has the path of the read with `.csv`. */
export const exportTable = {
  listCardAccounts: exportOf({
    title: 'Card accounts',
    rows: ({ rows }) => rows,
    columns: [
      { name: 'Id', of: 'name', value: ({ account }) => account.id },
      { name: 'xid', of: 'name', value: ({ account }) => account.xid },
      { name: 'Name', of: 'name', value: ({ account }) => account.name },
      { name: 'Account type', of: 'type', value: ({ account }) => account.accountType },
      { name: 'Identity', of: 'identity', value: ({ account }) => account.clientIdentityStatus },
      { name: 'Rejection reason', value: ({ rejectedReason }) => rejectedReason },
      { name: 'Currency', of: 'balance', value: ({ account }) => account.currency },
      { name: 'Limit', value: ({ account }) => account.limit },
      { name: 'Balance', of: 'balance', value: ({ account }) => account.balance },
      { name: 'Outstanding', of: 'outstanding', value: ({ account }) => account.outstanding },
      { name: 'Available', of: 'available', value: ({ account }) => account.available },
      { name: 'Disputed', of: 'disputeAmount', value: ({ account }) => account.disputeAmount },
      { name: 'Cards', of: 'cards', value: ({ cards }) => cards },
      { name: 'Group', of: 'group', value: ({ group }) => group },
      { name: 'Created', value: ({ account }, at) => at(account.createdAt) },
      { name: 'As of', value: ({ asOf }, at) => at(asOf) },
      { name: 'xmetadata', value: ({ account }) => metadataCell(account.xmetadata) },
    ],
  }),
  listTransactions: exportOf({
    title: 'Transactions of a card account',
    rows: ({ transactions }) => transactions,
    columns: [
      { name: 'Id', value: ({ id }) => id },
      { name: 'Reference', value: ({ refId }) => refId },
      { name: 'xid', value: ({ xid }) => xid },
      { name: 'Recorded', value: ({ createdAt }, at) => at(createdAt) },
      { name: 'Posted', value: ({ postedAt }, at) => at(postedAt) },
      { name: 'Status', value: ({ status }) => status },
      { name: 'Intent', value: ({ intent }) => intent },
      { name: 'Description', value: ({ description }) => description },
      { name: 'Entry type (DEBIT adds, CREDIT subtracts)', value: ({ entryType }) => entryType },
      {
        name: 'Amount',
        value: ({ amount, entryType }) =>
          entryType === 'CREDIT' && amount !== null && amount !== 0 ? -amount : amount,
      },
      { name: 'Currency', value: ({ currency }) => currency },
      { name: 'Gross amount', value: ({ grossAmount }) => grossAmount },
      { name: 'Dispute', value: ({ disputeStatus }) => disputeStatus },
      { name: 'Card last 4', value: ({ cardLast4 }) => cardLast4 },
      { name: 'Embossed name', value: ({ cardEmbossedName }) => cardEmbossedName },
      { name: 'Merchant', value: ({ merchant }) => merchant?.name },
      { name: 'MCC', value: ({ merchant }) => merchant?.mcc },
      { name: 'Category', value: ({ merchant }) => merchant?.category },
      { name: 'Merchant country', value: ({ merchant }) => merchant?.country },
      { name: 'Authorized amount', value: ({ authorization }) => authorization?.amount },
      { name: 'Authorized currency', value: ({ authorization }) => authorization?.currency },
      { name: 'Response code', value: ({ authorization }) => authorization?.responseCode },
      { name: 'Response', value: ({ authorization }) => authorization?.responseMessage },
      { name: 'xmetadata', value: ({ xmetadata }) => metadataCell(xmetadata) },
    ],
  }),
  listFees: exportOf({
    title: 'Fees',
    rows: ({ fees }) => fees,
    columns: [
      { name: 'Id', of: 'fee', value: ({ fee }) => fee.id },
      { name: 'Charged', of: 'charged', value: ({ fee }, at) => at(fee.createdAt) },
      { name: 'Status', of: 'status', value: ({ fee }) => fee.status },
      { name: 'Intent', of: 'intent', value: ({ fee }) => fee.intent },
      { name: 'Amount', of: 'amount', value: ({ fee }) => fee.amount },
      { name: 'Effect on the balance', of: 'amount', value: ({ change }) => change },
      { name: 'Currency', of: 'amount', value: ({ fee }) => fee.currency },
      {
        name: 'Account id or number',
        of: 'account',
        value: ({ account }) => (account?.kind === 'card-account' ? account.id : account?.number),
      },
      {
        name: 'Account',
        of: 'account',
        value: ({ account }) => (account?.kind === 'card-account' ? account.name : account?.label),
      },
      { name: 'Transaction id', value: ({ fee }) => fee.transaction?.id },
      { name: 'Transaction xid', value: ({ fee }) => fee.transaction?.xid },
      { name: 'Description', of: 'fee', value: ({ fee }) => fee.transaction?.description },
      { name: 'Cause (intentId)', value: ({ fee }) => fee.intentId },
    ],
  }),
  listPayouts: exportOf({
    title: 'Payouts',
    rows: ({ payouts }) => payouts,
    columns: [
      { name: 'Id', of: 'beneficiary', value: ({ id }) => id },
      { name: 'xid', of: 'beneficiary', value: ({ xid }) => xid },
      { name: 'Created', of: 'created', value: ({ created }, at) => at(created) },
      { name: 'Updated', of: 'updated', value: ({ updated }, at) => at(updated) },
      { name: 'Status', of: 'status', value: ({ status }) => status },
      { name: 'Sub-status', of: 'status', value: ({ subStatus }) => subStatus },
      { name: 'Cancellation reason', value: ({ cancellationReason }) => cancellationReason },
      { name: 'Method', of: 'method', value: ({ method }) => method },
      { name: 'Funding account id', value: ({ accountId }) => accountId },
      { name: 'Source amount', of: 'sourceAmount', value: ({ sourceAmount }) => sourceAmount },
      { name: 'Source currency', of: 'sourceAmount', value: ({ sourceCurrency }) => sourceCurrency },
      { name: 'Rate', value: ({ rate }) => rate },
      { name: 'Destination amount', of: 'destinationAmount', value: ({ destinationAmount }) => destinationAmount },
      {
        name: 'Destination currency',
        of: 'destinationAmount',
        value: ({ destinationCurrency }) => destinationCurrency,
      },
      { name: 'Holder', of: 'beneficiary', value: ({ destination }) => destination.accountHolderName },
      { name: 'Account number', value: ({ destination }) => destination.accountNumber },
      { name: 'Bank', value: ({ destination }) => destination.bankName },
      { name: 'Country', value: ({ destination }) => destination.country },
      { name: 'xmetadata', value: ({ xmetadata }) => metadataCell(xmetadata) },
    ],
  }),
  listLedger: exportOf({
    title: 'Account ledger of the funding accounts',
    rows: ({ transactions }) => transactions,
    columns: [
      { name: 'Id', of: 'description', value: ({ id }) => id },
      { name: 'Time', of: 'time', value: ({ time, createdAt }, at) => at(time ?? createdAt) },
      { name: 'Status', of: 'status', value: ({ status }) => status },
      { name: 'Intent', of: 'intent', value: ({ intent }) => intent },
      { name: 'Description', of: 'description', value: ({ description }) => description },
      { name: 'Amount (positive = credit, negative = debit)', of: 'amount', value: ({ amount }) => amount },
      { name: 'Asset', of: 'amount', value: ({ asset }) => asset },
      { name: 'Balance after', of: 'balance', value: ({ balance }) => balance },
      { name: 'Account', value: ({ accountLabel }) => accountLabel },
      { name: 'Account number', value: ({ accountNumber }) => accountNumber },
      { name: 'From', of: 'description', value: ({ fromAccountLabel }) => fromAccountLabel },
      { name: 'From account number', value: ({ fromAccountNumber }) => fromAccountNumber },
      { name: 'To', of: 'description', value: ({ toAccountLabel }) => toAccountLabel },
      { name: 'To account number', value: ({ toAccountNumber }) => toAccountNumber },
      { name: 'Cause (intentId)', of: 'cause', value: ({ intentId }) => intentId },
      { name: 'Cause reference (intentRefId)', value: ({ intentRefId }) => intentRefId },
      { name: 'xid', value: ({ xid }) => xid },
      { name: 'Xmetadata', value: ({ Xmetadata }) => metadataCell(Xmetadata) },
    ],
  }),
  listAudit: exportOf({
    title: 'Audit trail',
    rows: ({ entries }) => entries,
    columns: [
      { name: 'Number', value: ({ number }) => number },
      { name: 'At', value: ({ at: instant }, at) => at(instant) },
      { name: 'By', value: ({ by }) => by?.name },
      { name: 'Role', value: ({ by }) => by?.role },
      { name: 'Staff id', value: ({ by }) => by?.id },
      { name: 'Environment', value: ({ environment }) => environment },
      { name: 'What', value: ({ act }) => act },
      { name: 'On', value: ({ target }) => target?.type },
      { name: 'On id', value: ({ target }) => target?.id },
      { name: 'On label', value: ({ target }) => target?.label },
      { name: 'Account', value: ({ facts }) => facts.account?.name },
      { name: 'Account id', value: ({ facts }) => facts.account?.id },
      { name: 'External ID', value: ({ facts }) => facts.account?.xid },
      { name: 'Limit before', value: ({ facts }) => facts.limit?.before },
      { name: 'Limit after', value: ({ facts }) => facts.limit?.after },
      { name: 'Currency', value: ({ facts }) => facts.limit?.currency },
      { name: 'URL', value: ({ facts }) => facts.address },
      { name: 'Outcome', value: ({ outcome }) => outcome },
      { name: 'Code', value: ({ code }) => code },
      { name: 'Reason', value: ({ reason }) => reason },
      { name: 'Comment', value: ({ comment }) => comment },
      { name: 'IP address', value: ({ details }) => details.ipAddress },
      { name: 'Link valid until', value: ({ details }, at) => at(details.linkExpiresAt ?? null) },
      { name: 'Operation', value: ({ operationId }) => operationId },
      { name: 'Request', value: ({ requestId }) => requestId },
      { name: 'Request to Carddesk', value: ({ details }) => details.consoleRequestId },
      { name: 'SHA-256 of the body', value: ({ facts }) => facts.bodySha256 },
      { name: 'Hash', value: ({ hash }) => hash },
    ],
  }),
} satisfies Exports

export type ExportName = keyof typeof exportTable

/** The exported list whose file is at a path, and the ids of the path; null where there is none. */
export function findExport(path: readonly string[]): { name: ExportName; ids: string[] } | null {
  const [, last] = /^(.+)\.csv$/.exec(path.at(-1) ?? '') ?? []
  const found = last === undefined ? null : findRead([...path.slice(0, -1), last])
  return found && Object.hasOwn(exportTable, found.name) ? { ...found, name: found.name as ExportName } : null
}

/** Metadata as one cell: text as it is, anything else as JSON. */
function metadataCell(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

import { findRead, type ReadName } from '#lib/api/reads.ts'
import type { Figure } from '#lib/contract/exact-sum.ts'
import { unboundCardLimit } from '#lib/contract/terms.ts'
import { directedAmount } from '#lib/shared/currency.ts'
import { decimalText, toAmount } from '#lib/shared/money.ts'
import { isVoid } from '../fees/fee-record.ts'
import type { reads } from '../reads.ts'
import type { CsvCell } from './write-csv.ts'

/** The name of the column that marks a dispute which was open already when it was first read. */
const earlierDispute = 'Disputed since then or earlier'

/** How an instant is written: `2026-11-21T15:04:05+08:00`, in the zone that the file names. */
export type InstantText = (instant: string | null | undefined) => string | null

/** A column of the file. `of` is the column of the list's table that it belongs to, or the columns that cannot be read without it. */
type Column<Row> = { name: string; of?: string | readonly string[]; value: (row: Row, at: InstantText) => CsvCell }

/** How a page of a list becomes rows of a file. `coverage` says what the console's index of a list lacks. */
export type Export<Page> = {
  title: string
  rows: (page: Page) => readonly unknown[]
  columns: readonly Column<unknown>[]
  /** The metadata of a row, which becomes a column for each key. */
  metadata?: (row: unknown) => unknown
  /** What the whole list lacks, where the page's `coverage` is that of another list. */
  findGaps?: (page: Page) => ListGaps
}
/** `excluded` records of the list could not be read; others were not read yet unless it `isComplete`. */
type ListGaps = { excluded?: number; isComplete: boolean }

/** Page of a list. Records may be missing in it (`excluded`), in the whole list (`coverage`), or after it (`isTruncated`). */
export type ExportPage = {
  nextPageToken: string | null
  excluded?: number
  coverage?: ListGaps
  isTruncated?: boolean
}
type Exports = { [Name in ReadName]?: Export<Awaited<ReturnType<(typeof reads)[Name]>>> }

/** Ties the rows that the columns get to those that `rows` gives. */
function defineExport<Page extends ExportPage, Row>(row: {
  title: string
  rows: (page: Page) => readonly Row[]
  columns: readonly Column<Row>[]
  metadata?: (row: Row) => unknown
  findGaps?: (page: Page) => ListGaps
}): Export<Page> {
  return row as Export<Page>
}

function money(amount: Figure, currency: string | null | undefined): CsvCell {
  const exact = toAmount(amount)
  return exact && decimalText(exact, currency)
}

/** In words where the figure stands for none, so that no sum counts it. */
function cardLimitText(limit: string | null, currency: string | null): CsvCell {
  return toAmount(limit)?.gte(unboundCardLimit) ? 'no limit' : money(limit, currency)
}

/** The amount of an entry with the sign of its effect: CREDIT subtracts, also where the service gave it a sign already. */
function signed({
  amount,
  entryType,
  currency,
}: Record<'entryType' | 'currency', string | null> & { amount: number | null }): CsvCell {
  return money(amount === null ? null : directedAmount(amount, entryType), currency)
}

/** The part as a share of the whole, from 0 up; null where one is not known, or there is no whole. */
function shareText(part: Figure, whole: Figure): CsvCell {
  const [used, all] = [toAmount(part), toAmount(whole)]
  return used && all?.gt(0) ? used.div(all).toFixed(4) : null
}

/** The lists that can be exported, by the name of their read. The file has the path of the read with `.csv`. */
export const exportTable = {
  listCardAccounts: defineExport({
    title: 'Card accounts',
    rows: ({ rows }) => rows,
    columns: [
      { name: 'Id', of: 'name', value: ({ account }) => account.id },
      { name: 'xid', of: 'name', value: ({ account }) => account.xid },
      { name: 'Name', of: 'name', value: ({ account }) => account.name },
      { name: 'Account type', of: 'type', value: ({ account }) => account.accountType },
      { name: 'Identity', of: 'identity', value: ({ account }) => account.clientIdentityStatus },
      { name: 'Rejection reason', value: ({ rejectedReason }) => rejectedReason },
      {
        name: 'Currency',
        of: ['balance', 'outstanding', 'available', 'disputeAmount', 'limit'],
        value: ({ account }) => account.currency,
      },
      { name: 'Limit', of: 'limit', value: ({ account }) => money(account.limit, account.currency) },
      { name: 'Balance', of: 'balance', value: ({ account }) => money(account.balance, account.currency) },
      { name: 'Outstanding', of: 'outstanding', value: ({ account }) => money(account.outstanding, account.currency) },
      { name: 'Available', of: 'available', value: ({ account }) => money(account.available, account.currency) },
      { name: 'Disputed', of: 'disputeAmount', value: ({ account }) => money(account.disputeAmount, account.currency) },
      { name: 'Disputed since', of: 'disputedSince', value: ({ disputedSince }, at) => at(disputedSince) },
      { name: earlierDispute, of: 'disputedSince', value: ({ disputeMayBeOlder }) => disputeMayBeOlder && 'yes' },
      { name: 'Limit used (share)', of: 'used', value: ({ account }) => shareText(account.outstanding, account.limit) },
      { name: 'Last activity', of: 'activity', value: ({ lastActivityAt }, at) => at(lastActivityAt) },
      { name: 'Cards', of: 'cards', value: ({ cards }) => cards },
      { name: 'Group', of: 'group', value: ({ group }) => group },
      { name: 'Created', of: 'createdAt', value: ({ account }, at) => at(account.createdAt) },
      { name: 'As of', value: ({ asOf }, at) => at(asOf) },
    ],
    metadata: ({ account }) => account.xmetadata,
  }),
  listTransactions: defineExport({
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
        value: signed,
      },
      { name: 'Currency', value: ({ currency }) => currency },
      { name: 'Gross amount', value: ({ grossAmount, currency }) => money(grossAmount, currency) },
      { name: 'Dispute', value: ({ disputeStatus }) => disputeStatus },
      { name: 'Card last 4', value: ({ cardLast4 }) => cardLast4 },
      { name: 'Embossed name', value: ({ cardEmbossedName }) => cardEmbossedName },
      { name: 'Merchant', value: ({ merchant }) => merchant?.name },
      { name: 'MCC', value: ({ merchant }) => merchant?.mcc },
      { name: 'Category', value: ({ merchant }) => merchant?.category },
      { name: 'Merchant country', value: ({ merchant }) => merchant?.country },
      {
        name: 'Authorized amount',
        value: ({ authorization }) => money(authorization?.amount, authorization?.currency),
      },
      { name: 'Authorized currency', value: ({ authorization }) => authorization?.currency },
      { name: 'Response code', value: ({ authorization }) => authorization?.responseCode },
      { name: 'Response', value: ({ authorization }) => authorization?.responseMessage },
    ],
    metadata: ({ xmetadata }) => xmetadata,
  }),
  listProgramCards: defineExport({
    title: 'Cards',
    rows: ({ cards }) => cards,
    findGaps: ({ coverage: { isComplete, accounts, accountsWithCards }, excluded, transactions }) => ({
      excluded,
      isComplete: isComplete && accountsWithCards >= accounts && transactions?.isComplete !== false,
    }),
    columns: [
      { name: 'Id', of: 'name', value: ({ id }) => id },
      { name: 'Last 4', of: 'name', value: ({ last4 }) => last4 },
      { name: 'Embossed name', of: 'name', value: ({ embossedName }) => embossedName },
      { name: 'Account id', of: 'account', value: ({ cardAccountId }) => cardAccountId },
      { name: 'Account', of: 'account', value: ({ accountName }) => accountName },
      { name: 'Status', of: 'status', value: ({ status }) => status },
      { name: 'Product', of: 'product', value: ({ productName }) => productName },
      { name: 'Expires (year and month)', of: 'expires', value: ({ expiresOn }) => expiresOn },
      { name: 'Card limit', of: 'limit', value: ({ cardLimit, currency }) => cardLimitText(cardLimit, currency) },
      {
        name: 'Available limit',
        of: 'limit',
        value: ({ status, availableLimit, currency }) =>
          status === 'cancelled' ? null : cardLimitText(availableLimit, currency),
      },
      { name: 'Currency', of: 'limit', value: ({ currency }) => currency },
      { name: 'Limit used (share)', of: 'limitUse', value: ({ limitUse }) => limitUse && Number(limitUse).toFixed(4) },
      { name: 'Last used', of: 'used', value: ({ lastUsedAt }, at) => at(lastUsedAt) },
      { name: 'As of', value: ({ asOf }, at) => at(asOf) },
    ],
  }),
  listProgramTransactions: defineExport({
    title: 'Transactions',
    rows: ({ transactions }) => transactions,
    columns: [
      { name: 'Id', of: 'what', value: ({ id }) => id },
      { name: 'xid', value: ({ xid }) => xid },
      { name: 'Recorded', of: 'createdAt', value: ({ createdAt }, at) => at(createdAt) },
      { name: 'Posted', value: ({ postedAt }, at) => at(postedAt) },
      { name: 'Account id', of: 'account', value: ({ cardAccountId }) => cardAccountId },
      { name: 'Account', of: 'account', value: ({ accountName }) => accountName },
      { name: 'Card id', of: 'card', value: ({ cardId }) => cardId },
      { name: 'Card last 4', of: 'card', value: ({ cardLast4 }) => cardLast4 },
      { name: 'Embossed name', of: 'card', value: ({ cardEmbossedName }) => cardEmbossedName },
      { name: 'Status', of: 'status', value: ({ status }) => status },
      { name: 'Intent', of: 'what', value: ({ intent }) => intent },
      { name: 'Description', of: 'what', value: ({ description }) => description },
      { name: 'Entry type (DEBIT adds, CREDIT subtracts)', value: ({ entryType }) => entryType },
      {
        name: 'Amount',
        of: 'amount',
        value: signed,
      },
      { name: 'Currency', of: 'amount', value: ({ currency }) => currency },
      { name: 'Dispute', of: 'status', value: ({ disputeStatus }) => disputeStatus },
      { name: 'Disputed since', of: 'disputeOpenedAt', value: ({ disputeOpenedAt }, at) => at(disputeOpenedAt) },
      { name: earlierDispute, of: 'disputeOpenedAt', value: ({ disputeMayBeOlder }) => disputeMayBeOlder && 'yes' },
      { name: 'Merchant', of: 'what', value: ({ merchant }) => merchant?.name },
      { name: 'MCC', of: 'what', value: ({ merchant }) => merchant?.mcc },
      { name: 'Category', of: 'what', value: ({ merchant }) => merchant?.category },
      { name: 'Merchant country', of: 'what', value: ({ merchant }) => merchant?.country },
      {
        name: 'Authorized amount',
        of: 'amount',
        value: ({ authorization }) => money(authorization?.amount, authorization?.currency),
      },
      { name: 'Authorized currency', of: 'amount', value: ({ authorization }) => authorization?.currency },
      { name: 'Response code', of: 'what', value: ({ authorization }) => authorization?.responseCode },
      { name: 'Response', of: 'what', value: ({ authorization }) => authorization?.responseMessage },
      { name: 'As of', value: ({ asOf }, at) => at(asOf) },
    ],
  }),
  listFees: defineExport({
    title: 'Fees',
    rows: ({ fees }) => fees,
    columns: [
      { name: 'Id', of: 'fee', value: ({ fee }) => fee.id },
      { name: 'Charged', of: 'createdAt', value: ({ fee }, at) => at(fee.createdAt) },
      { name: 'Status', of: 'status', value: ({ fee }) => fee.status },
      { name: 'Intent', of: 'intent', value: ({ fee }) => fee.intent },
      { name: 'Amount', of: 'amount', value: ({ fee }) => money(fee.amount, fee.currency) },
      {
        name: 'Effect on the balance',
        of: 'amount',
        value: ({ fee, change }) => money(isVoid(fee) ? '0' : change, fee.currency),
      },
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
  listPayouts: defineExport({
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
      {
        name: 'Source amount',
        of: 'sourceAmount',
        value: ({ sourceAmount, sourceCurrency }) => money(sourceAmount, sourceCurrency),
      },
      { name: 'Source currency', of: 'sourceAmount', value: ({ sourceCurrency }) => sourceCurrency },
      { name: 'Rate', value: ({ rate }) => rate },
      {
        name: 'Destination amount',
        of: 'destinationAmount',
        value: ({ destinationAmount, destinationCurrency }) => money(destinationAmount, destinationCurrency),
      },
      {
        name: 'Destination currency',
        of: 'destinationAmount',
        value: ({ destinationCurrency }) => destinationCurrency,
      },
      { name: 'Holder', of: 'beneficiary', value: ({ destination }) => destination.accountHolderName },
      { name: 'Account number', value: ({ destination }) => destination.accountNumber },
      { name: 'Bank', value: ({ destination }) => destination.bankName },
      { name: 'Country', value: ({ destination }) => destination.country },
    ],
    metadata: ({ xmetadata }) => xmetadata,
  }),
  listLedger: defineExport({
    title: 'Account ledger of the funding accounts',
    rows: ({ transactions }) => transactions,
    columns: [
      { name: 'Id', of: 'description', value: ({ id }) => id },
      { name: 'Time', of: 'time', value: ({ time, createdAt }, at) => at(time ?? createdAt) },
      { name: 'Status', of: 'status', value: ({ status }) => status },
      { name: 'Intent', of: 'intent', value: ({ intent }) => intent },
      { name: 'Description', of: 'description', value: ({ description }) => description },
      {
        name: 'Amount (positive = credit, negative = debit)',
        of: 'amount',
        value: ({ amount, asset }) => money(amount, asset),
      },
      { name: 'Asset', of: 'amount', value: ({ asset }) => asset },
      { name: 'Balance after', of: 'balance', value: ({ balance, asset }) => money(balance, asset) },
      { name: 'Account', value: ({ accountLabel }) => accountLabel },
      { name: 'Account number', value: ({ accountNumber }) => accountNumber },
      { name: 'From', of: 'description', value: ({ fromAccountLabel }) => fromAccountLabel },
      { name: 'From account number', value: ({ fromAccountNumber }) => fromAccountNumber },
      { name: 'To', of: 'description', value: ({ toAccountLabel }) => toAccountLabel },
      { name: 'To account number', value: ({ toAccountNumber }) => toAccountNumber },
      { name: 'Cause (intentId)', of: 'cause', value: ({ intentId }) => intentId },
      { name: 'Cause reference (intentRefId)', value: ({ intentRefId }) => intentRefId },
      { name: 'xid', value: ({ xid }) => xid },
    ],
    metadata: ({ Xmetadata }) => Xmetadata,
  }),
  listAudit: defineExport({
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
      { name: 'Limit before', value: ({ facts }) => money(facts.limit?.before, facts.limit?.currency) },
      { name: 'Limit after', value: ({ facts }) => money(facts.limit?.after, facts.limit?.currency) },
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

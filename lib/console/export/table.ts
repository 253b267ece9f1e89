import 'server-only'
import type { AccountTransaction, CardAccountTransaction } from '#lib/contract/records.ts'
import { listCardAccounts, type CardAccountFilters } from '../card-accounts/list.ts'
import { AppError } from '../desk/app-error.ts'
import { listAudit, type AuditFilters } from '../desk/audit/audit.ts'
import type { CardAccountRow, AuditEntry } from '../desk/shapes.ts'
import { listFees, type FeeFilters } from '../fees/list.ts'
import type { FeeRow } from '../fees/shapes.ts'
import { listLedger, type LedgerFilters } from '../funding-accounts.ts'
import { listPayouts, type PayoutFilters } from '../payouts/list.ts'
import type { PayoutRecord } from '../payouts/shapes.ts'
import { listTransactions, type TransactionFilters } from '../transactions/list.ts'
import { type ExportList, exportOf, metadataCell, mirrorGaps } from './list.ts'

const auditExport = exportOf<AuditEntry>({
  title: 'Audit trail',
  permission: 'audit.read',
  async read(environment, search) {
    const { entries, nextPageToken } = await listAudit(environment, search as AuditFilters)
    return { rows: entries, nextPageToken }
  },
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
})

/** The transactions of one account; its id is a part of the search here. */
const transactionExport = exportOf<CardAccountTransaction>({
  title: 'Transactions of a card account',
  permission: 'accounts.read',
  async read(environment, { cardAccountId, ...search }) {
    if (typeof cardAccountId !== 'string') throw new AppError('INVALID_PARAMETERS', 'cardAccountId must be given once')
    const { transactions, nextPageToken } = await listTransactions(
      environment,
      cardAccountId,
      search as TransactionFilters,
    )
    return { rows: transactions, nextPageToken }
  },
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
      value: ({ amount, entryType }) => (entryType === 'CREDIT' && amount !== null && amount !== 0 ? -amount : amount),
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
})

const payoutExport = exportOf<PayoutRecord>({
  title: 'Payouts',
  permission: 'payouts.read',
  async read(environment, search) {
    const { payouts, nextPageToken, coverage } = await listPayouts(environment, search as PayoutFilters)
    return { rows: payouts, nextPageToken, ...mirrorGaps(coverage, search) }
  },
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
    { name: 'Destination currency', of: 'destinationAmount', value: ({ destinationCurrency }) => destinationCurrency },
    { name: 'Holder', of: 'beneficiary', value: ({ destination }) => destination.accountHolderName },
    { name: 'Account number', value: ({ destination }) => destination.accountNumber },
    { name: 'Bank', value: ({ destination }) => destination.bankName },
    { name: 'Country', value: ({ destination }) => destination.country },
    { name: 'xmetadata', value: ({ xmetadata }) => metadataCell(xmetadata) },
  ],
})

const ledgerExport = exportOf<AccountTransaction>({
  title: 'Account ledger of the funding accounts',
  permission: 'payouts.read',
  async read(environment, search) {
    const { transactions, nextPageToken } = await listLedger(environment, search as LedgerFilters)
    return { rows: transactions, nextPageToken }
  },
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
})

const feeExport = exportOf<FeeRow>({
  title: 'Fees',
  permission: 'accounts.read',
  async read(environment, search) {
    const { fees, nextPageToken } = await listFees(environment, search as FeeFilters)
    return { rows: fees, nextPageToken }
  },
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
})

const cardAccountExport = exportOf<CardAccountRow>({
  title: 'Card accounts',
  permission: 'accounts.read',
  async read(environment, search) {
    const { rows, nextPageToken, coverage } = await listCardAccounts(environment, search as CardAccountFilters)
    return { rows, nextPageToken, ...mirrorGaps(coverage, search) }
  },
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
})

/** Every list that can be exported, by the name that its address has. */
export const exportTable: Record<string, ExportList> = {
  'card-accounts': cardAccountExport,
  transactions: transactionExport,
  fees: feeExport,
  payouts: payoutExport,
  ledger: ledgerExport,
  audit: auditExport,
}

import { type SQL, sql } from 'drizzle-orm'
import { boolean, index, primaryKey, text } from 'drizzle-orm/pg-core'
import { openDisputeStatuses } from '#lib/contract/terms.ts'
import { consoleSchema, environmentColumn, instant, money, searchTermsColumn } from './schema.ts'

/** Whether the dispute of a row is not decided yet, by the column of its status: literals, as the condition of an index. */
export function isOpenDisputeSql(column: string): SQL {
  return sql.raw(`${column} in (${openDisputeStatuses.map((status) => `'${status}'`).join(', ')})`)
}

const chineseRange = '\u2e80-\u9fff\uf900-\ufaff'

/** Each Chinese character of a text. */
export const chineseCharacter = new RegExp(`[${chineseRange}]`, 'g')

/** Whether a text has a Chinese character, and its Chinese characters as an array: as the index of them has it. */
export const hasChineseSql = (text: SQL) => sql`${text} ~ ${sql.raw(`'[${chineseRange}]'`)}`
export const chineseOf = (text: SQL) =>
  sql`string_to_array(regexp_replace(${text}, ${sql.raw(`'[^${chineseRange}]'`)}, '', 'g'), null)`

/**
 * The index of card account transactions: the interface lists them within one account only. A column is null where the
 * service did not provide its value, or where it does not fit. The page of a transaction reads the service.
 */
export const indexedTransactions = consoleSchema.table(
  'index_transactions',
  {
    environment: environmentColumn(),
    id: text('id').notNull(),
    cardAccountId: text('card_account_id').notNull(),
    cardId: text('card_id'),
    cardLast4: text('card_last4'),
    cardEmbossedName: text('card_embossed_name'),
    xid: text('xid'),
    status: text('status'),
    intent: text('intent'),
    entryType: text('entry_type').$type<'CREDIT' | 'DEBIT'>(),
    currency: text('currency'),
    amount: money('amount'),
    /** The merchant's request and its result. */
    authorizationType: text('authorization_type'),
    authorizedCurrency: text('authorized_currency'),
    authorizedAmount: money('authorized_amount'),
    responseCode: text('response_code'),
    responseMessage: text('response_message'),
    merchantName: text('merchant_name'),
    mcc: text('mcc'),
    merchantCategory: text('merchant_category'),
    country: text('country'),
    description: text('description'),
    disputeStatus: text('dispute_status'),
    /** The first event or reading that showed its dispute as open; null where it is not open, or this is not known. */
    disputeOpenedAt: instant('dispute_opened_at'),
    /** No event or reading showed it before its dispute was open: the dispute may be older. */
    disputeMayBeOlder: boolean('dispute_may_be_older').notNull().default(false),
    createdAt: instant('created_at'),
    postedAt: instant('posted_at'),
    /** The text for free-text search: merchant, description, name on the card, last four, xid and id, in lower case. */
    searchText: text('search_text').notNull(),
    /** When the request was sent whose response it was; of an event's record, the event's time, but not after it was received. */
    readAt: instant('read_at').notNull(),
    /** The time of the latest event that was applied, by the service's clock. */
    eventTime: instant('event_time'),
    /** Where the intent is `fee`: when its fee was last read as it is now. Null: the index of fees may lack it. */
    feeReadAt: instant('fee_read_at'),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('index_transactions_id').on(table.environment, sql`lower(id)`),
    index('index_transactions_by_created').on(table.environment, table.createdAt, table.id),
    index('index_transactions_by_amount').on(table.environment, table.currency, table.amount, table.id),
    index('index_transactions_account').on(table.environment, table.cardAccountId, table.createdAt, table.id),
    index('index_transactions_card').on(table.environment, table.cardId, table.createdAt, table.id),
    index('index_transactions_status').on(table.environment, table.status, table.createdAt, table.id),
    index('index_transactions_intent').on(table.environment, table.intent, table.createdAt, table.id),
    index('index_transactions_mcc').on(table.environment, table.mcc, table.createdAt, table.id),
    // Amounts depend on what is sold: from the one by amount alone, most rows would be left out before a page is full.
    // Totals of a code or an intent read these alone: for them, both end with the status and the entry.
    index('index_transactions_mcc_amount').on(
      table.environment,
      table.mcc,
      table.currency,
      table.amount,
      table.id,
      table.status,
      table.entryType,
    ),
    index('index_transactions_intent_amount').on(
      table.environment,
      table.intent,
      table.currency,
      table.amount,
      table.id,
      table.status,
      table.entryType,
    ),
    // Most are posted: those of another status are far apart among the amounts.
    index('index_transactions_status_amount')
      .on(table.environment, table.status, table.currency, table.amount, table.id)
      .where(sql`status <> 'posted'`),
    index('index_transactions_merchant').on(table.environment, sql`lower(merchant_name)`, table.createdAt, table.id),
    // A name of two or three characters, for which an index of trigrams reads every row.
    index('index_transactions_chinese')
      .using('gin', chineseOf(sql`search_text`))
      .where(hasChineseSql(sql`search_text`)),
    // Most charges are approved, and nobody looks for those by their code.
    index('index_transactions_response')
      .on(table.environment, table.responseCode, table.createdAt, table.id)
      .where(sql`response_code <> '00'`),
    index('index_transactions_disputed')
      .on(table.environment, table.disputeStatus, table.createdAt, table.id)
      .where(sql`dispute_status is not null`),
    index('index_transactions_dispute_opened')
      .on(table.environment, table.disputeOpenedAt, table.id)
      .where(sql`dispute_opened_at is not null`),
    index('index_transactions_disputed_account')
      .on(table.environment, table.cardAccountId, table.disputeOpenedAt)
      .where(isOpenDisputeSql('dispute_status')),
    index('index_transactions_fee_due')
      .on(table.environment, table.cardAccountId)
      .where(sql`intent = 'fee' and fee_read_at is null`),
    // Totals read this one alone.
    index('index_transactions_totals').on(
      table.environment,
      table.currency,
      table.status,
      table.entryType,
      table.amount,
    ),
  ],
)

/** How far the transactions of each account were read into the index. An account without a row was never read. */
export const transactionProgress = consoleSchema.table(
  'index_transaction_progress',
  {
    environment: environmentColumn(),
    cardAccountId: text('card_account_id').notNull(),
    /** True once the list was read to its end. */
    isWhole: boolean('is_whole').notNull().default(false),
    /** `createdAt` of the newest record of the last reading that came to its end: everything before it is in the index. */
    readTo: instant('read_to'),
    /** Where a reading that was interrupted goes on: `createdAt` of the oldest record that it has read. */
    resumeAt: instant('resume_at'),
    /** The account's balance less the sum of its entries after a whole reading: other services may begin with a balance. */
    openingBalance: money('opening_balance'),
    /** When its transactions were last requested, where that is known. */
    lastReadAt: instant('last_read_at'),
    /** When the last whole reading began, where that is known; null after one with another opening balance, which the next one confirms. */
    wholeReadAt: instant('whole_read_at'),
    /** When the service last refused to list them, since the last reading that succeeded. */
    failedAt: instant('failed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.cardAccountId] }),
    index('index_transaction_progress_last').on(table.environment, table.lastReadAt.asc().nullsFirst()),
  ],
)

/** The names of merchants among the transactions, by which a search finds these. */
export const indexedMerchants = consoleSchema.table(
  'index_merchants',
  {
    environment: environmentColumn(),
    /** In lower case, as the index of transactions by merchant has it. */
    name: text('name').notNull(),
    terms: searchTermsColumn(),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.name] }),
    index('index_merchants_terms').using('gin', table.terms),
  ],
)

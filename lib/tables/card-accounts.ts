import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, numeric, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { unboundCardLimit } from '#lib/contract/terms.ts'
import { jsonValue } from '#lib/db/json-value.ts'
import { consoleSchema, environmentColumn, instant, indexProgress, money, searchTermsColumn } from './schema.ts'

/**
 * The console's index of the service's card accounts. What the interface names has a column, which is null where the
 * service did not provide it; `more` holds every other field, and values that do not fit their column.
 */
export const indexedAccounts = consoleSchema.table(
  'index_accounts',
  {
    environment: environmentColumn(),
    id: text('id').notNull(),
    xid: text('xid'),
    name: text('name'),
    phoneNumber: text('phone_number'),
    identityType: text('identity_type'),
    accountType: text('account_type'),
    currency: text('currency'),
    limit: money('limit'),
    balance: money('balance'),
    outstanding: money('outstanding'),
    available: money('available'),
    disputeAmount: money('dispute_amount'),
    /** When its oldest open dispute in the index opened; null without one, and where that is not known. */
    disputedSince: instant('disputed_since'),
    /** That dispute may be older. */
    disputeMayBeOlder: boolean('dispute_may_be_older').notNull().default(false),
    clientIdentityStatus: text('client_identity_status'),
    /** Why the identity was rejected, as last read from the client identity. Counts only while the status is `rejected`. */
    rejectedReason: text('rejected_reason'),
    /** When the client identity was last read. Null: not since the status changed. */
    identityReadAt: instant('identity_read_at'),
    /** The client identity as it was last read, with its personal data masked; shown while the service does not respond. */
    identity: jsonb('identity').$type<Record<string, unknown>>(),
    createdAt: instant('created_at'),
    xmetadata: jsonValue('xmetadata'),
    more: jsonb('more').$type<Record<string, unknown>>(),
    /** The text for free-text search: name, xid and id, in lower case. */
    searchText: text('search_text').notNull(),
    terms: searchTermsColumn(),
    /** Null until all its cards were read. */
    cards: integer('cards'),
    /** Cards in the last response that could not be read: they have no usable id. */
    cardsExcluded: integer('cards_excluded').notNull().default(0),
    cardsReadAt: instant('cards_read_at'),
    /** When its cards could not be read the last time. */
    cardsFailedAt: instant('cards_failed_at'),
    /** When the request was sent: the response to an earlier request never replaces that to a later one. */
    readAt: instant('read_at').notNull(),
    /** The reading in which its balance, outstanding, available or disputed amount was first as it is now. */
    figuresChangedAt: instant('figures_changed_at').notNull().defaultNow(),
    /** The `figuresChangedAt` up to which its transactions are in the index. */
    transactionsReadAt: instant('transactions_read_at'),
    /** The full reading that saw it last. */
    reading: bigint('reading', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('index_accounts_transactions_due')
      .on(table.environment, table.figuresChangedAt)
      .where(sql`transactions_read_at is null or transactions_read_at < figures_changed_at`),
    index('index_accounts_cards_due')
      .on(table.environment, table.figuresChangedAt)
      .where(sql`cards_read_at < figures_changed_at`),
    index('index_accounts_terms').using('gin', table.terms),
    index('index_accounts_id').on(table.environment, sql`lower(id)`),
    index('index_accounts_by_created').on(table.environment, table.createdAt, table.id),
    index('index_accounts_by_name').on(table.environment, sql`lower(name)`, table.id),
    index('index_accounts_by_balance').on(table.environment, table.balance, table.id),
    index('index_accounts_by_outstanding').on(table.environment, table.outstanding, table.id),
    index('index_accounts_by_available').on(table.environment, table.available, table.id),
    index('index_accounts_by_dispute').on(table.environment, table.disputeAmount, table.id),
    index('index_accounts_by_disputed_since')
      .on(table.environment, table.disputedSince, table.id)
      .where(sql`disputed_since is not null`),
    // In most orders these few accounts are far apart.
    index('index_accounts_near_limit')
      .on(table.environment, table.id)
      .where(sql`account_type = 'credit' and "limit" > 0 and available >= 0 and available < "limit" / 10`),
    index('index_accounts_by_cards').on(table.environment, table.cards, table.id),
    index('index_accounts_cards_read').on(table.environment, table.cardsReadAt.asc().nullsFirst()),
    index('index_accounts_identity').on(table.environment, table.clientIdentityStatus, table.createdAt, table.id),
    index('index_accounts_xid').on(table.environment, table.xid),
    index('index_accounts_phone').on(table.environment, sql`right(regexp_replace(phone_number, '[^0-9]', '', 'g'), 7)`),
    index('index_accounts_xmetadata').using('gin', sql`xmetadata jsonb_path_ops`),
  ],
)

const recordLimit = (name: string) => sql.raw(`(record ->> '${name}')::numeric`)

/** The largest charge that a card's own limits allow before any was made; null where they bound none. */
const ownLimit = sql`nullif(least(${recordLimit('singleTransactionLimit')}, ${recordLimit('dailyLimit')}, ${recordLimit('cardLimit')},
  greatest(${recordLimit('cardPresentLimit')}, ${recordLimit('cardNotPresentLimit')}),
  greatest(${recordLimit('dailyPurchaseLimit')}, ${recordLimit('dailyAtmLimit')}), ${sql.raw(String(unboundCardLimit))}), ${sql.raw(String(unboundCardLimit))})`

/** The index of cards, each as it came. */
export const indexedCards = consoleSchema.table(
  'index_cards',
  {
    environment: environmentColumn(),
    id: text('id').notNull(),
    cardAccountId: text('card_account_id').notNull(),
    status: text('status'),
    last4: text('last4'),
    record: jsonb('record').notNull().$type<Record<string, unknown>>(),
    /** Parts of the record that lists filter and sort by. */
    embossedName: text('embossed_name').generatedAlwaysAs(sql`record ->> 'embossedName'`),
    productName: text('product_name').generatedAlwaysAs(sql`record -> 'product' ->> 'name'`),
    /** Year and month, such as 202703. */
    expiresOn: integer('expires_on').generatedAlwaysAs(
      sql`(record ->> 'expiryYear')::integer * 100 + (record ->> 'expiryMonth')::integer`,
    ),
    cardLimit: money('card_limit').generatedAlwaysAs(sql`(record ->> 'cardLimit')::numeric`),
    availableLimit: money('available_limit').generatedAlwaysAs(sql`(record ->> 'availableLimit')::numeric`),
    /** The limit of its account where that is a credit account, by which a card without limits of its own is bound. */
    accountLimit: money('account_limit'),
    /** The used share of the largest charge that its limits allow: 0.9 where a tenth is left. Null where none bound it, or once cancelled. */
    limitUse: numeric('limit_use').generatedAlwaysAs(
      sql`case when status is distinct from 'cancelled' then
        1 - ${recordLimit('availableLimit')} / nullif(coalesce(${ownLimit}, account_limit), 0) end`,
    ),
    /** When its newest transaction in the index was recorded; null without one. */
    lastUsedAt: instant('last_used_at'),
    /** ISO 8601 in UTC, as text. */
    issuedAt: text('issued_at').generatedAlwaysAs(sql`record ->> 'createdAt'`),
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs(
        sql`lower(coalesce(record ->> 'embossedName', '') || ' ' || coalesce(last4, '') || ' ' || coalesce(record ->> 'xid', '') || ' ' || id)`,
      ),
    terms: searchTermsColumn(),
    position: integer('position').notNull(),
    firstReadAt: instant('first_read_at').notNull(),
    readAt: instant('read_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environment, table.id] }),
    index('index_cards_terms').using('gin', table.terms),
    index('index_cards_id').on(table.environment, sql`lower(id)`),
    index('index_cards_account').on(table.environment, table.cardAccountId),
    index('index_cards_status').on(table.environment, table.status),
    index('index_cards_product').on(table.environment, table.productName),
    index('index_cards_last4').on(table.environment, table.last4, table.id),
    index('index_cards_email').on(table.environment, sql`lower(record ->> 'cardEmail')`),
    index('index_cards_mobile').on(
      table.environment,
      sql`right(regexp_replace(record ->> 'mobile', '[^0-9]', '', 'g'), 7)`,
    ),
    index('index_cards_by_issued').on(table.environment, table.issuedAt, table.id),
    index('index_cards_by_expires').on(table.environment, table.expiresOn, table.id),
    index('index_cards_by_name').on(table.environment, sql`lower(embossed_name)`, table.id),
    index('index_cards_by_limit_use').on(table.environment, table.limitUse, table.id),
    index('index_cards_by_last_used').on(table.environment, table.lastUsedAt, table.id),
  ],
)

/** Each time a card was read with another status than before. */
export const cardStatusChanges = consoleSchema.table(
  'card_status_changes',
  {
    environment: environmentColumn(),
    cardId: text('card_id').notNull(),
    seenAt: instant('seen_at').notNull(),
    /** The reading before, at which the card still had its old status. */
    notBefore: instant('not_before').notNull(),
    statusBefore: text('status_before').notNull(),
    statusAfter: text('status_after').notNull(),
    /** The operation after which it was read, where it was one of the console's own. */
    operationId: uuid('operation_id'),
  },
  (table) => [primaryKey({ columns: [table.environment, table.cardId, table.seenAt] })],
)

/** How far the index of accounts is. */
export const accountProgress = consoleSchema.table('index_account_progress', {
  ...indexProgress(),
  /** Contents that the sandbox had at the last request; null for a service other than the built-in one. */
  contentsId: text('contents_id'),
})

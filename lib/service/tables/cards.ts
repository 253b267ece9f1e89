import { boolean, index, integer, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import type { CardProduct } from '#lib/contract/cards.ts'
import type { CardStatus } from '#lib/contract/terms.ts'
import { cardAccounts } from './card-accounts.ts'
import { bytes, instant, money, service, xmetadata } from './schema.ts'

export const products = service.table('products', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  imageUrl: text('image_url').notNull(),
  cardType: text('card_type').notNull().$type<'virtual' | 'physical'>(),
  cardImageDetails: jsonb('card_image_details').notNull().$type<CardProduct['cardImageDetails']>(),
})

export const cards = service.table(
  'cards',
  {
    id: uuid('id').primaryKey(),
    cardAccountId: uuid('card_account_id')
      .notNull()
      .references(() => cardAccounts.id),
    xid: text('xid'),
    xmetadata: xmetadata(),
    status: text('status').notNull().$type<CardStatus>(),
    /** The card was locked when it was suspended, and is locked again when the suspension ends. */
    lockedBeforeSuspension: boolean('locked_before_suspension').notNull().default(false),
    embossedName: text('embossed_name').notNull(),
    productId: uuid('product_id')
      .notNull()
      .references(() => products.id),
    expiryMonth: integer('expiry_month').notNull(),
    expiryYear: integer('expiry_year').notNull(),
    last4: text('last4').notNull(),
    /** The card number, sealed with the key from the settings (lib/service/card-number.ts). */
    sealedNumber: bytes('sealed_number').notNull(),
    /** A salted scrypt digest; the PIN itself is never stored. */
    pinDigest: text('pin_digest'),
    replacedBy: uuid('replaced_by'),
    cardLimit: money('card_limit').notNull(),
    dailyAtmLimit: money('daily_atm_limit').notNull(),
    dailyPurchaseLimit: money('daily_purchase_limit').notNull(),
    dailyLimit: money('daily_limit').notNull(),
    singleTransactionLimit: money('single_transaction_limit').notNull(),
    cardPresentLimit: money('card_present_limit').notNull(),
    cardNotPresentLimit: money('card_not_present_limit').notNull(),
    mobile: text('mobile'),
    cardEmail: text('card_email'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('cards_newest').on(table.cardAccountId, table.createdAt, table.id)],
)

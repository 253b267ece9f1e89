import type { Account as AccountSchema, AccountTransaction as AccountTransactionSchema } from './accounts.ts'
import type { PayoutBank as PayoutBankSchema } from './banks.ts'
import type { AggregateBalance as AggregateBalanceSchema, CardAccount as CardAccountSchema } from './card-accounts.ts'
import type { Card as CardSchema } from './cards.ts'
import type { ClientIdentity as ClientIdentitySchema } from './client-identity.ts'
import type { EndpointName, ResponseOf } from './endpoints.ts'
import type { FeeEntry as FeeEntrySchema } from './fees.ts'
import type { Xmetadata } from './fields.ts'
import type { Payout as PayoutSchema } from './payouts.ts'
import type { CardAccountTransaction as CardAccountTransactionSchema } from './transactions.ts'
import type { Webhook as WebhookSchema, WebhookStats as WebhookStatsSchema } from './webhooks.ts'

type Scalar = string | number | boolean

/** A value that a service may leave out, send as null or send malformed: null means all three. */
type Received<T> = [Xmetadata] extends [T] ? T | null : ReceivedValue<T>

type ReceivedValue<T> = T extends null | undefined
  ? null
  : T extends Scalar
    ? T | null
    : T extends readonly (infer Item)[]
      ? ReceivedItem<Item>[] | null
      : string extends keyof T
        ? { [Key in keyof T]: NonNullable<T[Key]> } | null
        : ({ [Key in keyof T]: Received<T[Key]> } & WithOtherFields) | null

/**
 * A record of a list. It always has its `id`, unless the contract allows null: a record without one can be neither opened nor
 * acted on, so the client excludes it and counts it. Every other field may be null, whatever the contract promises.
 */
type ReceivedItem<T> = T extends Scalar
  ? T
  : { [Key in keyof T]: Key extends 'id' ? T[Key] : Received<T[Key]> } & WithOtherFields

/** The fields of a record that the interface does not name, as they were sent. */
type WithOtherFields = { otherFields?: Record<string, unknown> }

/** The response of an endpoint as the client gives it: lists are always there, every other field may be null. */
export type ReceivedResponse<Name extends EndpointName> = ReceivedBody<ResponseOf<Name>>

type ReceivedBody<T> = T extends readonly (infer Item)[]
  ? ReceivedItem<Item>[]
  : {
      [Key in keyof T]: T[Key] extends readonly (infer Item)[]
        ? ReceivedItem<Item>[]
        : string extends keyof T[Key]
          ? T[Key]
          : Received<T[Key]>
    } & WithOtherFields

// The interface's records as the console reads them. The built-in service uses the strict types of the schemas.
export type Account = ReceivedItem<AccountSchema>
export type AccountTransaction = ReceivedItem<AccountTransactionSchema>
export type AggregateBalance = ReceivedItem<AggregateBalanceSchema>
export type Card = ReceivedItem<CardSchema>
export type CardAccount = ReceivedItem<CardAccountSchema>
export type CardAccountTransaction = ReceivedItem<CardAccountTransactionSchema>
export type ClientIdentity = ReceivedItem<ClientIdentitySchema>
export type FeeEntry = ReceivedItem<FeeEntrySchema>
export type Payout = ReceivedItem<PayoutSchema>
export type PayoutBank = ReceivedItem<PayoutBankSchema>
export type Webhook = ReceivedItem<WebhookSchema>
export type WebhookStats = ReceivedItem<WebhookStatsSchema>

/** The fields under names such as `destination.bankCode`. */
export function withPrefix(prefix: string, fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${prefix}.${name}`, value]))
}

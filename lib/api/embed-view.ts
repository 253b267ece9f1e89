import { type Environment, routes } from '#lib/shared/routes.ts'

/** The types of records that can be embedded. */
export const embedTypes = ['customer', 'card-account', 'card', 'transaction', 'payout'] as const
export type EmbedType = (typeof embedTypes)[number]

/**
 * One object of an environment. Cards and transactions are read through their card account, so they name it. A customer has
 * the id of their first card account.
 */
export type EmbedObject = { environment: Environment; type: EmbedType; id: string; cardAccountId: string | null }

/** Fields by which a token request may name a customer or a card account that it has no id of. */
export const lookUpFields = ['xid', 'email', 'phone'] as const
export type LookUpField = (typeof lookUpFields)[number]

/** A customer's view has so many disputes at most, and as many changes and call-backs that wait. */
export const mostCases = 10

export function hasCardAccount(type: EmbedType): boolean {
  return type === 'card' || type === 'transaction'
}

/** The path of the object's page in the console. */
export function embedObjectPath({ environment, type, id, cardAccountId }: EmbedObject): string {
  if (type === 'card-account' || type === 'customer') return routes.cardAccount(environment, id)
  if (type === 'payout') return routes.payout(environment, id)
  const ofAccount = type === 'card' ? routes.card : routes.transaction
  return ofAccount(environment, cardAccountId ?? '', id)
}

type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad' | 'info'
type Amount = { amount: string; currency: string }

/** The texts that `public/embed-view.js` draws as they are. That script knows no resource. */
export type EmbedView = {
  environment: Environment
  type: EmbedType
  /** The type of the object, for people: "Card". */
  kind: string
  title: string
  /** Title of the frame: "card ending 4242". */
  name: string
  subtitle: string
  status: { label: string; tone: Tone; help: string }
  /** Sentences that support should notice first. */
  notes: { tone: Tone; text: string }[]
  figures: (Amount & { label: string; tone: Tone })[]
  facts: { label: string; value: string; isCode?: boolean; open?: EmbedTarget }[]
  lists: { title: string; empty: string; rows: EmbedRow[] }[]
  requests: EmbedRequests | null
  /** The page of the object in the console; null for a customer of several card accounts, each of which has one. */
  href: string | null
  /** When the data was fetched: "14:42:08 HKT". */
  updatedAt: string
  /** The console's own copy, because the service does not respond; `ageMs` is how old it is. */
  isStored: boolean
  ageMs: number
}

/** Requests that the agent can make from the ticket, and those made; null where the view offers none. */
export type EmbedRequests = {
  /** `question` heads the form, and `help` says what then happens. `reasons` are by code, the first for none; empty where none is asked for. */
  offers: {
    kind: string
    label: string
    question: string
    help: string
    submit: string
    reasons: { value: string; label: string }[]
  }[]
  rows: EmbedRow[]
}

export type EmbedRow = {
  title: string
  detail: string
  status: { label: string; tone: Tone }
  /** Null where the row has no amount. */
  amount: Amount | null
  /** The view that the row opens within the frame. */
  open?: EmbedTarget
}

/** Another object that the view's token opens, too. */
export type EmbedTarget = Pick<EmbedObject, 'type' | 'id' | 'cardAccountId'>

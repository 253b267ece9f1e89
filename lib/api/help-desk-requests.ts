import { withoutCapital } from '#lib/shared/texts.ts'
import type { EmbedType } from './embed-view.ts'

/** How a request is dealt with: it waits for an approval, it is carried out at once, or it is a note that somebody takes. */
export const requestWays = ['approval', 'immediate', 'hand-over'] as const
export type RequestWay = (typeof requestWays)[number]

type RequestRow = {
  label: string
  /** The kind of the operation that it is; null where nothing is sent to the service. */
  operation: 'card.lock' | 'card.replace' | 'fee.waive' | null
  /** The views that offer it. */
  types: readonly EmbedType[]
  /** The ways that a policy can choose from. */
  ways: readonly [RequestWay, ...RequestWay[]]
}

/** The kinds of request that a help desk's agent can make from an embedded view, where the policy allows it. */
export const helpDeskRequests = {
  lock: { label: 'Lock card', operation: 'card.lock', types: ['card'], ways: ['approval', 'immediate'] },
  replace: { label: 'Replace card', operation: 'card.replace', types: ['card'], ways: ['approval'] },
  waive: { label: 'Waive fee', operation: 'fee.waive', types: ['transaction'], ways: ['approval'] },
  'call-back': { label: 'Call back', operation: null, types: ['card', 'card-account'], ways: ['hand-over'] },
} as const satisfies Record<string, RequestRow>

export type RequestKind = keyof typeof helpDeskRequests
export const requestKinds = Object.keys(helpDeskRequests) as [RequestKind, ...RequestKind[]]

export function requestRow(kind: RequestKind): RequestRow {
  return helpDeskRequests[kind]
}

/** The way of each kind of request that a policy allows; a kind that is left out can't be requested. */
export type HelpDeskPolicy = { readonly [Kind in RequestKind]?: RequestWay }

/** A person at a help desk, as its key asserts, and the ticket from which they request something. */
export type TicketOrigin = { agent: { name: string; email: string }; ticket: string }

export const wayLabels: Record<RequestWay, string> = {
  approval: 'After an approval',
  immediate: 'At once',
  'hand-over': 'As a hand-over to Operations',
}

/** The allowed requests as a list: "Lock card (at once)". */
export function allowedRequests(policy: HelpDeskPolicy): string[] {
  return requestKinds.flatMap((kind) => {
    const way = policy[kind]
    return way ? `${requestRow(kind).label} (${withoutCapital(wayLabels[way])})` : []
  })
}

/** The allowed requests as a sentence. */
export function helpDeskText(policy: HelpDeskPolicy): string {
  const allowed = allowedRequests(policy)
  return allowed.length === 0 ? 'Help desks can request nothing.' : `Help desks can request: ${allowed.join(', ')}.`
}

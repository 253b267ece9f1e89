import type { EndpointName } from './endpoints.ts'
import type { EventName } from './terms.ts'

type IdentityEventName = Extract<EventName, `cardaccount.client-identity.${string}`>

/**
 * Something that a release added and that a service's records or events show. `isAlwaysSent`: the interface says that every one of
 * them has it, so that a release without it is an earlier one. Anything else shows only where it is there.
 */
export type ReleaseTrace = (
  | { record: string; field: string; value?: string }
  | { event: IdentityEventName; field: string }
) & {
  isAlwaysSent?: true
}

export type Release = {
  version: string
  /** As in the interface's history; null where that has no date. */
  date: string | null
  change: string
  traces: readonly ReleaseTrace[]
  /** The endpoints that it added. */
  endpoints?: readonly EndpointName[]
}

const individual = 'ClientIdentity.individual'

/** The interface's history of releases, the newest first. The traces of records have the names that `contractNames` gives them. */
export const releases: readonly [Release, ...Release[]] = [
  {
    version: '1.4.8',
    date: '2026-08',
    change: 'data.xid in both client identity events',
    traces: [
      { event: 'cardaccount.client-identity.approved', field: 'xid', isAlwaysSent: true },
      { event: 'cardaccount.client-identity.rejected', field: 'xid', isAlwaysSent: true },
    ],
  },
  {
    version: '1.4.7',
    date: '2026-06',
    change:
      'disputeAmount of card accounts, disputeStatus of their transactions; cardaccount.transaction.updated for a changed dispute, too',
    traces: [
      { record: 'CardAccount', field: 'disputeAmount', isAlwaysSent: true },
      { record: 'CardAccountTransaction', field: 'disputeStatus' },
    ],
  },
  {
    version: '1.4.6',
    date: '2026-05',
    change: '400 instead of 500 for business errors of seven card endpoints',
    traces: [],
  },
  {
    version: '1.4.5',
    date: '2026-04',
    change: 'a reason of a rejected identity: hotel info invalid',
    traces: [
      {
        record: 'ClientIdentity',
        field: 'rejectedReason',
        value: 'Additional Doc for Non-HK Resident (hotel info invalid)',
      },
    ],
  },
  { version: '1.4.4', date: '2026-03', change: 'three reasons of a rejected identity', traces: [] },
  {
    version: '1.4.3',
    date: '2026-03',
    change: 'several values in the intent filter; a reason of a rejected identity: not residential address',
    traces: [{ record: 'ClientIdentity', field: 'rejectedReason', value: 'Incomplete Info (not residential address)' }],
  },
  {
    version: '1.4.2',
    date: null,
    change: 'the simulator of client identities, in a sandbox',
    traces: [],
    endpoints: ['simulateClientIdentityStatus'],
  },
  {
    version: '1.4.1',
    date: null,
    change: 'five reasons of a rejected identity for supporting documents',
    traces: [],
  },
  {
    version: '1.4.0',
    date: '2026-02-01',
    change: 'the travel permit in two documents, front and back',
    traces: [
      { record: `${individual}.supportingDocuments`, field: 'documentType', value: 'TRAVEL_PERMIT_FRONT' },
      { record: `${individual}.supportingDocuments`, field: 'documentType', value: 'TRAVEL_PERMIT_BACK' },
    ],
  },
  {
    version: '1.3.0',
    date: '2026-02-01',
    change: 'occupation, position, gender and nationality as mandatory fields of an individual',
    traces: ['occupation', 'position', 'gender', 'nationality'].map((field) => ({ record: individual, field })),
  },
  {
    version: '1.2.0',
    date: '2025-12-19',
    change: '3D Secure challenges in place of cardaccount.transaction.verification-code-delivered',
    traces: [],
  },
  { version: '1.1.0', date: '2025-11-29', change: 'the recovery of suspended webhooks', traces: [] },
]

import type { Difference } from '#lib/client/parse-response.ts'
import type { EndpointName } from '#lib/contract/endpoints.ts'
import type { WireDecision } from '#lib/contract/wire-decisions.ts'
import type { ServiceHealth } from '#lib/environments/types.ts'
import type { Environment } from '#lib/shared/routes.ts'

/** The data of the Connection page. Times are ISO 8601. */
export type Connection = {
  baseUrl: string
  accessKey: string
  /** The size of the RSA key that signs requests, and what to do about one that is short; null: the access key alone. */
  signingKey: { bits: number; advice: string | null } | null
  isBuiltIn: boolean
  /** Whether the names file changes any name of this service. */
  hasOwnNames: boolean
  health: ServiceHealth
  webhooks: {
    key: 'set' | 'built-in' | 'missing'
    /** The setting that holds the key. */
    keySetting: string
    inboxUrl: string
    lastDelivery: { event: string; receivedAt: string } | null
  }
  /** The last check, by any person; null before the first. */
  check: { report: CheckReport; by: string } | null
}

/** A difference between the service's responses and the contract. Times are ISO 8601. */
export type RecordedDeviation = {
  id: string
  endpoint: string
  kind: 'difference' | 'unknown-field'
  path: string
  expected: string
  found: string
  count: number
  firstAt: string
  lastAt: string
  lastRequestId: string | null
}

export type Verdict =
  | 'matches'
  | 'no records'
  | 'differs'
  | 'unexpected form'
  | 'rejected'
  | 'missing'
  | 'unreadable'
  | 'unreachable'
  | 'not called'

/** One read endpoint, called once. `records` were compared with the contract: items of a list, or the object itself. */
export type EndpointCheck = {
  name: EndpointName
  /** Method and path as called. */
  endpoint: string
  verdict: Verdict
  status: number | null
  code: string | null
  durationMs: number | null
  requestId: string | null
  records: number
  differences: readonly Difference[]
  /** Fields that the contract doesn't name. They change no verdict: a service may send more than the contract has. */
  unknownFields: readonly string[]
  /** Why it wasn't called, or what the response was instead. */
  reason: string | null
}

export type DecisionCheck = Pick<WireDecision, 'id' | 'topic' | 'about' | 'decision' | 'mark'> & {
  verdict: 'confirmed' | 'contradicted' | 'open'
  note: string | null
}

/** A line to add to the names file. `value` is null where only a person knows it: a path or a field that is missing. */
export type Proposal = { at: readonly string[]; value: string | null; reason: string }

/** `usable`: what could be compared matches. `nothing compared`: nothing but reference data came back, so the check proves nothing. */
export type CheckResult = 'usable' | 'differences' | 'nothing compared'

/** The result of a connection check. It holds kinds of values and codes, never the values of a record. */
export type CheckReport = {
  environment: Environment
  baseUrl: string
  accessKey: string
  checkedAt: string
  durationMs: number
  result: CheckResult
  /** Milliseconds that the service's clock is ahead of this one; null where it sent no date. */
  clockOffsetMs: number | null
  /** Advice to an administrator after a 401. */
  diagnosis: string | null
  rateLimit: { limit: number; remaining: number } | null
  /**
   * The release of the interface that the service responds like. `version`: the newest one that its responses show; null where they show
   * none. `notes`: what it lacks, and what its responses can't show.
   */
  release: { version: string | null; title: string; notes: readonly string[] }
  endpoints: readonly EndpointCheck[]
  decisions: readonly DecisionCheck[]
  proposals: readonly Proposal[]
  /** The part of `carddesk.service.json` that the proposals make; null where there is none. */
  names: object | null
  /** The lines whose values only a person knows, with what to enter; null where there is none. */
  namesToFillIn: object | null
}

import type { Target } from '#lib/audit/types.ts'
import type { Permission } from '#lib/auth/permissions.ts'
import type { Change } from '#lib/live/types.ts'

/** A value for each value of `by`: a segment in a read's path (`[type]`), or a field of an action's input. An unknown one has the first. */
export type ByValue<Value> = { by: string; of: Readonly<Record<string, Value>> }

/** Required to read or to act: a permission, any session, or a permission by a value of the request. */
export type Needs = Permission | 'session' | ByValue<Permission>

/** How often an open page reads again. What is left out is the QueryClient's own: fresh for five seconds, never repeated. */
type Poll = {
  /** Milliseconds, false for never; or by the data (undefined before the first) and the read's ids and search. */
  every?: number | { of(data: unknown, ...args: readonly unknown[]): number | false }
  /** Milliseconds; `Infinity`: read once. */
  staleAfter?: number
  /** Milliseconds in the browser's memory after it was last shown. */
  keepFor?: number
  /** The rows before are shown while those of another page or filter are on their way. */
  keepsRows?: true
  /** Until something was read, a failure is shown for a while instead of tried again at once. */
  backsOff?: true
}

/** For each type of change: the ids that the keys of the stale reads begin with, or `true` for all reads of this name. */
type StaleOn = { [Type in Change['type']]?: true | ((change: Extract<Change, { type: Type }>) => readonly string[]) }

type SensitiveTarget = (...ids: string[]) => Omit<Target, 'label'> & Partial<Pick<Target, 'label'>>

/** The target of a sensitive read whose first id is that of a record. */
export function sensitiveRecord(type: string): SensitiveTarget {
  return (id) => ({ type, id, parentId: null })
}

/** A read: what it is. Its body is implemented beside the resource. */
export type ReadDefinition = {
  /** Below /api/<environment>. Its ids are the body's parameters after the environment, in order. */
  path: string
  needs: Needs
  /**
   * Responds 404, to every role, where the built-in service’s control plane is missing. `needs: 'sandbox.simulate'` implies 404 outside
   * the sandbox.
   */
  lab?: 'built-in'
  poll: Poll
  /** The changes after which an open page reads it again. */
  staleOn?: StaleOn
  /**
   * Set where the read may show Restricted data unmasked (SECURITY.md): such reads are audited. Returns the audit target for the path's
   * ids.
   */
  sensitive?: SensitiveTarget
  /** A search that it cannot do without, for the tests of access. */
  example?: string
}

export function defineReads<const Reads extends Readonly<Record<string, ReadDefinition>>>(reads: Reads): Reads {
  return reads
}

export const record = { every: 15_000 } as const satisfies Poll
export const list = { ...record, keepsRows: true } as const satisfies Poll
/** Read again only when a live update or the person says so. */
export const noPolling = {} as const satisfies Poll
export const forever = Number.POSITIVE_INFINITY

/** An interval by the data. Undefined before the first data: never. */
export function every<Data>(of: (data: Data) => number | false): { of(data: unknown): number | false } {
  return { of: (data) => (data === undefined ? false : of(data as Data)) }
}

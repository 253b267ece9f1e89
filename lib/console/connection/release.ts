import type { ServiceProfile } from '#lib/client/service-profile.ts'
import { releases, type ReleaseTrace } from '#lib/contract/releases.ts'
import { asFields } from '#lib/shared/json.ts'
import { type SentRecord, sentRecords } from './missing-fields.ts'
import type { ObservedCall } from './read-calls.ts'
import type { CheckReport } from './types.ts'

/** A client identity event as received: its name in the contract, and its `data`. */
export type IdentityEvent = { event: string; data: unknown }

type Sent = { records: readonly SentRecord[]; events: readonly IdentityEvent[] }

/**
 * The release of the interface that a service responds like, and what the newest one has beyond it, by the records of its responses and
 * its newest events. A release is reached where an addition of its own is there and none that is always sent is absent. Nothing
 * else proves one, so most findings are a lower bound.
 */
export function releaseFinding(
  calls: readonly ObservedCall[],
  profile: ServiceProfile,
  events: readonly IdentityEvent[] = [],
): CheckReport['release'] {
  const sent: Sent = { records: sentRecords(calls, profile), events }
  const judged = releases.map((release) => {
    const traces = release.traces.map((trace) => ({ trace, ...countObjects(trace, sent) }))
    const absent = traces.filter(({ trace, count, isThere }) => trace.isAlwaysSent && count > 0 && !isThere)
    return { ...release, absent, isReached: absent.length === 0 && traces.some(({ isThere }) => isThere) }
  })
  const reached = judged.find(({ isReached }) => isReached)
  const oldestLacking = judged.findLast(({ absent }) => absent.length > 0)
  const newest = releases[0].version

  const lacking = judged.flatMap(({ version, absent }) =>
    absent.map(({ trace, count }) => `${traceText(trace)} (${version}): in none of ${count} sent`),
  )
  const bound = oldestLacking ?? reached
  const newer = bound ? judged.slice(0, judged.indexOf(bound) + (oldestLacking ? 1 : 0)) : []
  const beyond = newer
    .filter(({ isReached }) => !isReached)
    .map(({ version, change }) =>
      oldestLacking ? `${version} added ${change}.` : `No response shows ${change} (${version}).`,
    )
  const notes = [...lacking.map((text) => `Lacks ${text}.`), ...beyond]
  return { version: reached?.version ?? null, title: title(), notes }

  function title(): string {
    if (!oldestLacking) {
      if (!reached) return 'Can’t tell: no response shows a release'
      return reached.version === newest ? `${newest}, the newest` : `${reached.version} or later`
    }
    if (!reached) return `Before ${oldestLacking.version}`
    const isWhole = judged.indexOf(reached) > judged.indexOf(oldestLacking)
    return isWhole ? `${reached.version} or later, before ${oldestLacking.version}` : `${reached.version}, in part`
  }
}

/** How many objects there were that may have it, and whether one has. */
function countObjects(trace: ReleaseTrace, { records, events }: Sent): { count: number; isThere: boolean } {
  if ('event' in trace) {
    const data = events.filter(({ event }) => event === trace.event).map((event) => asFields(event.data))
    return { count: data.length, isThere: data.some((object) => Object.hasOwn(object, trace.field)) }
  }
  const { fields, objects } = records.find(({ record }) => record === trace.record) ?? { fields: [], objects: [] }
  const [name = trace.field] = [...fields].find(([, { field }]) => field === trace.field) ?? []
  const isThere = objects.some((object) =>
    trace.value === undefined ? Object.hasOwn(object, name) : object[name] === trace.value,
  )
  return { count: objects.length, isThere }
}

function traceText(trace: ReleaseTrace): string {
  return 'event' in trace ? `data.${trace.field} of ${trace.event}` : `${trace.record}.${trace.field}`
}

import { fieldsOf, parseJson, textIn } from '#lib/shared/json.ts'
import type { IdentityStep } from './shapes.ts'

type IdentityTimes = { createdAt: string | null; status: string | null; rejectedReason: string | null }
/** An event of the inbox: `body` is the exact text of its delivery. */
type ReportedEvent = { id: string; event: string; body: string; at: string }
type Resubmission = { at: string; by: string }

export const identityEvents = {
  'cardaccount.created': 'submitted',
  'cardaccount.client-identity.approved': 'approved',
  'cardaccount.client-identity.rejected': 'rejected',
} as const

/** The step that leads to a status; null for an unknown status. */
const stepsInto: Record<string, readonly IdentityStep['kind'][]> = {
  pending: ['resubmitted', 'submitted'],
  approved: ['approved'],
  rejected: ['rejected'],
}

/**
 * The history of an identity, oldest first. Where the steps do not lead to the present status, the last step is
 * inferred: its event was not received, or it was submitted again elsewhere, which no event reports.
 */
export function identityHistory(
  { createdAt, status, rejectedReason }: IdentityTimes,
  events: readonly ReportedEvent[],
  resubmissions: readonly Resubmission[],
): IdentityStep[] {
  const reported = events.map(stepOf).filter((step) => step !== null)
  const first = reported.find(({ kind }) => kind === 'submitted')
  const submitted: IdentityStep = {
    ...(first ?? { ...blank, source: 'record' as const }),
    kind: 'submitted',
    at: createdAt ?? first?.at ?? null,
  }
  const later: IdentityStep[] = [
    ...reported.filter(({ kind }) => kind !== 'submitted'),
    ...resubmissions.map(({ at, by }) => ({
      ...blank,
      kind: 'resubmitted' as const,
      at,
      by,
      source: 'operation' as const,
    })),
  ].toSorted((one, other) => Date.parse(one.at ?? '') - Date.parse(other.at ?? ''))
  const steps = [submitted, ...later]
  const last = steps.at(-1) ?? submitted
  const expected = status !== null && Object.hasOwn(stepsInto, status) ? (stepsInto[status] ?? []) : []
  const [kind] = expected
  const isOtherReason = last.kind === 'rejected' && rejectedReason !== null && last.rejectedReason !== rejectedReason
  if (kind === undefined || (expected.includes(last.kind) && !isOtherReason)) return steps
  return [...steps, { ...blank, kind, source: 'inferred', rejectedReason: kind === 'rejected' ? rejectedReason : null }]
}

const blank = { at: null, rejectedReason: null, event: null, by: null }

function stepOf({ id, event, body, at }: ReportedEvent): IdentityStep | null {
  if (!Object.hasOwn(identityEvents, event)) return null
  const kind = identityEvents[event as keyof typeof identityEvents]
  return {
    ...blank,
    kind,
    at,
    source: 'event',
    event: { id, name: event },
    rejectedReason: kind === 'rejected' ? reasonIn(body) : null,
  }
}

function reasonIn(body: string): string | null {
  return textIn(fieldsOf(parseJson(body)).data, 'rejectedReason') || null
}

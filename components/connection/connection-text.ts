import { defineListParams } from '#components/filters/list-params.ts'
import type { Tone } from '#components/ui/tone.ts'
import { deviationSearch } from '#lib/api/connection.ts'
import type { CheckResult, DecisionCheck, Verdict } from '#lib/console/connection/types.ts'
import { having } from '#lib/shared/provided.ts'

type Status = { label: string; tone: Tone }

export const verdictTexts: Record<Verdict, Status> = {
  matches: { label: 'Matches', tone: 'good' },
  'no records': { label: 'No records', tone: 'neutral' },
  differs: { label: 'Differs', tone: 'warn' },
  'unexpected form': { label: 'Unexpected form', tone: 'warn' },
  rejected: { label: 'Rejected', tone: 'bad' },
  missing: { label: 'Missing', tone: 'bad' },
  unreadable: { label: 'Unreadable', tone: 'bad' },
  unreachable: { label: 'Unreachable', tone: 'bad' },
  'not called': { label: 'Not called', tone: 'neutral' },
}

export const resultTexts: Record<CheckResult, Status & { meaning: string }> = {
  usable: { label: 'Usable', tone: 'good', meaning: 'Every returned record matches the contract.' },
  differences: { label: 'Differences', tone: 'warn', meaning: 'Some responses differ from the contract.' },
  'nothing compared': {
    label: 'Nothing compared',
    tone: 'bad',
    meaning: 'No record was returned, so nothing was compared.',
  },
}

export const decisionTexts: Record<DecisionCheck['verdict'], Status> = {
  contradicted: { label: 'Contradicted', tone: 'bad' },
  confirmed: { label: 'Confirmed', tone: 'good' },
  open: { label: 'Open', tone: 'neutral' },
}

type Clock = { clockOffsetMs: number | null; endpoints: readonly { status: number | null }[] }

/** How far the service's clock is from this server's, to a tenth of a second. */
export function clockText({ clockOffsetMs: offsetMs, endpoints }: Clock): string {
  const hasResponse = having(endpoints, 'status').length > 0
  if (offsetMs === null) return hasResponse ? 'Unknown: no Date header' : 'Unknown: no response'
  const seconds = (Math.abs(offsetMs) / 1000).toFixed(1)
  if (Math.abs(offsetMs) < 1000) return 'In sync, within 1 s'
  return `${seconds} s ${offsetMs > 0 ? 'ahead' : 'behind'}`
}

export const deviationList = defineListParams(deviationSearch)

import { CircleCheck, CircleDot, CircleHelp, CircleX, type LucideIcon } from 'lucide-react'
import { findEntry } from '#components/ui/code-entry.ts'
import { durationText } from '#components/ui/time-format.ts'
import type { Tone } from '#components/ui/tone.ts'
import { actionNames, auditedActs } from '#lib/api/actions.ts'
import type { AuditEntry } from '#lib/audit/types.ts'
import { roleNames } from '#lib/auth/permissions.ts'
import { reasonText } from '#lib/shared/reasons.ts'
import { withCapital } from '#lib/shared/texts.ts'
import { parseIsoDurationMs } from '#lib/shared/time.ts'

export const outcomeTable: Record<AuditEntry['outcome'], { label: string; tone: Tone; icon: LucideIcon }> = {
  done: { icon: CircleCheck, label: 'Done', tone: 'good' },
  partial: { icon: CircleDot, label: 'Partly done', tone: 'warn' },
  refused: { icon: CircleX, label: 'Refused', tone: 'bad' },
  unknown: { icon: CircleHelp, label: 'Not confirmed yet', tone: 'warn' },
}

/** Acts in the audit log that are no person's actions. */
const otherActs: Record<string, string> = {
  'bulk.start': 'Start bulk job',
  'approval.request': 'Request approval',
  'approval.expire': 'Approval expired',
  'export.read': 'Export a list',
  'case.reproduce': 'Reproduce as a scenario',
  'data.read': 'Read sensitive data',
  'page.open': 'Open a page',
  'sign-in': 'Sign in',
  'sign-out': 'Sign out',
  'step-up': 'Confirm with a passkey',
  'audit.new-file': 'Start a new checkpoint file',
  'back-channel-logout': 'Sign-out by the provider',
}

/** What the two texts of an entry about an approval are: Carddesk's own sentence stands where another entry has a person's comment. */
export const textLabels: Partial<Record<string, { reason: string; comment: string }>> = {
  'approval.request': { reason: 'Reason', comment: 'Rule' },
  'approval.approve': { reason: 'Comment', comment: 'Request' },
  'approval.decline': { reason: 'Reason', comment: 'Request' },
  'approval.withdraw': { reason: 'Reason', comment: 'Request' },
}

const acts: Record<string, string> = {
  ...Object.fromEntries(
    actionNames.flatMap(auditedActs).flatMap(({ act, label }) => (label === undefined ? [] : [[act, label]])),
  ),
  ...otherActs,
}

/** Areas of pages whose name on the screen is not that of their address. */
const pageNames: Record<string, string> = {
  'bulk-jobs': 'Jobs',
  embed: 'Embedding',
  lab: 'QA lab',
  requests: 'API requests',
}

/** `lab` → "QA lab": the area of a refused read, as the navigation names it. */
export function pageName(area: string): string {
  const words = area.replaceAll('-', ' ')
  const inWords = withCapital(words)
  return findEntry(pageNames, area) ?? inWords
}

export function actorName(by: AuditEntry['by']): string {
  return by?.name ?? 'The console'
}

/** The role of who acted; a help desk's key has none. */
export function actorRole({ role }: NonNullable<AuditEntry['by']>): string {
  return role ? roleNames[role] : 'Help desk key'
}

/** `card.lock` → "Lock card"; an unknown code is shown as it is. */
export function actLabel(act: string): string {
  return findEntry(acts, act) ?? act
}

/** Every action that can be in the trail, as a filter, by its name. */
export const actOptions = Object.keys(acts)
  .map((act) => ({ value: act, label: actLabel(act) }))
  .toSorted((one, other) => one.label.localeCompare(other.label, 'en'))

/** Why it was done, in one line: the reason and the comment. */
export function whyText({ act, reason, comment }: Pick<AuditEntry, 'act' | 'reason' | 'comment'>): string {
  const advancedMs = act === 'lab.advance' && comment !== null ? parseIsoDurationMs(comment) : null
  const quoted =
    advancedMs === null ? comment && `“${comment}”` : `by ${durationText(advancedMs).replace(/ 0 (?:h|min)$/, '')}`
  const parts = [reason && reason !== 'other' ? reasonText(reason) : null, quoted]
  return parts.filter(Boolean).join(', ')
}

import { CircleCheck, CircleDot, CircleHelp, CircleX, type LucideIcon } from 'lucide-react'
import { durationText } from '#components/ui/time-format.ts'
import type { Tone } from '#components/ui/tone.ts'
import type { AuditEntry } from '#lib/audit/types.ts'
import { roleNames } from '#lib/auth/permissions.ts'
import { operationKinds } from '#lib/operations/kinds.ts'
import { reasonText } from '#lib/shared/reasons.ts'
import { parseDurationMs } from '#lib/shared/time.ts'

export const outcomeTable: Record<AuditEntry['outcome'], { label: string; tone: Tone; icon: LucideIcon }> = {
  done: { icon: CircleCheck, label: 'Done', tone: 'good' },
  partial: { icon: CircleDot, label: 'Partly done', tone: 'warn' },
  refused: { icon: CircleX, label: 'Refused', tone: 'bad' },
  unknown: { icon: CircleHelp, label: 'Not confirmed yet', tone: 'warn' },
}

/** What the audit log has beside operations. */
const otherActs: Record<string, string> = {
  'card.reveal': 'Reveal card',
  'bulk.start': 'Start bulk job',
  'bulk.pause': 'Pause bulk job',
  'bulk.resume': 'Resume bulk job',
  'bulk.cancel': 'Cancel bulk job',
  'operation.resolve': 'Resolve operation',
  'approval.request': 'Request approval',
  'approval.approve': 'Approve request',
  'approval.decline': 'Decline request',
  'approval.withdraw': 'Withdraw request',
  'approval.expire': 'Approval expired',
  'approval.send': 'Send approved request',
  'policy.propose': 'Propose policy',
  'policy.confirm': 'Confirm policy',
  'policy.reject': 'Reject policy',
  'policy.withdraw': 'Withdraw policy proposal',
  'export.read': 'Export a list',
  'data.read': 'Read sensitive data',
  'page.open': 'Open a page',
  'funding.threshold': 'Set funding threshold',
  'webhook.test': 'Test webhook',
  'webhook.replay': 'Replay delivery',
  'webhook.replay-since': 'Replay deliveries since',
  'webhook.retry': 'Retry delivery now',
  'webhook.skip': 'Skip event of a queue',
  'webhook.acknowledge': 'Dismiss deleted webhook',
  'lab.charge': 'Simulate charge',
  'lab.capture': 'Simulate capture',
  'lab.reverse': 'Simulate reversal',
  'lab.credit': 'Simulate credit',
  'lab.repay': 'Simulate repayment',
  'lab.decide-identity': 'Simulate identity decision',
  'lab.add-webhook': 'Add webhook of a sandbox',
  'lab.remove-webhook': 'Remove webhook of a sandbox',
  'lab.fee': 'Simulate fee',
  'lab.dispute': 'Simulate dispute',
  'lab.top-up': 'Simulate top-up',
  'lab.event': 'Simulate event',
  'lab.advance': 'Advance sandbox clock',
  'lab.arm-fault': 'Arm fault',
  'lab.remove-fault': 'Remove fault',
  'lab.set-modes': 'Set sandbox modes',
  'lab.reset-modes': 'Reset sandbox modes',
  'lab.take-snapshot': 'Take snapshot',
  'lab.delete-snapshot': 'Delete snapshot',
  'lab.restore-snapshot': 'Restore snapshot',
  'lab.make-sandbox': 'Make sandbox',
  'lab.delete-sandbox': 'Delete sandbox',
  'lab.reset': 'Reset sandbox',
  'case.reproduce': 'Reproduce as a scenario',
  'case.build': 'Reproduce in a sandbox',
  'scenario.run': 'Run scenarios',
  'scenario.stop': 'Stop scenarios',
  'note.add': 'Add note',
  'note.pin': 'Pin note',
  'note.unpin': 'Unpin note',
  'note.take': 'Take hand-over',
  'note.finish': 'Finish hand-over',
  'sign-in': 'Sign in',
  'sign-out': 'Sign out',
  'step-up': 'Confirm with a passkey',
  'passkey.add': 'Add passkey',
  'passkey.rename': 'Rename passkey',
  'passkey.remove': 'Remove passkey',
  'payout.quote': 'Get payout quote',
  'payout.validate': 'Validate payout',
  'explorer.send': 'Send request from the API explorer',
  'audit.new-file': 'Start a new checkpoint file',
  'embed.create': 'Create embed token',
  'embed-key.create': 'Create embed key',
  'embed-key.revoke': 'Revoke embed key',
  'staff.invite': 'Invite staff',
  'staff.set-role': 'Change a role',
  'staff.disable': 'Disable access',
  'staff.enable': 'Enable access',
  'staff.sign-out': 'Sign a person out',
  'staff.remove-passkeys': 'Remove a person’s passkeys',
  'session.end': 'End own session',
  'back-channel-logout': 'Sign-out by the provider',
}

const acts: Record<string, string> = {
  ...Object.fromEntries(Object.entries(operationKinds).map(([kind, { label }]) => [kind, label])),
  ...otherActs,
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
  return (Object.hasOwn(acts, act) ? acts[act] : undefined) ?? act
}

/** Every action that can be in the trail, as a filter. */
export const actOptions = Object.keys(acts).map((act) => ({ value: act, label: actLabel(act) }))

/** Why it was done, in one line: the reason and the comment. */
export function whyText({ act, reason, comment }: Pick<AuditEntry, 'act' | 'reason' | 'comment'>): string {
  const advancedMs = act === 'lab.advance' && comment !== null ? parseDurationMs(comment) : null
  const quoted =
    advancedMs === null ? comment && `“${comment}”` : `by ${durationText(advancedMs).replace(/ 0 (?:h|min)$/, '')}`
  const parts = [reason && reason !== 'other' ? reasonText(reason) : null, quoted]
  return parts.filter(Boolean).join(', ')
}

import { cardActionTable, reasonWords } from '#components/cards/card-action-table.ts'
import type { Tone } from '#components/ui/tone.ts'
import type { AuditEntry } from '#lib/console/desk/audit/audit.ts'

export const outcomeTable: Record<AuditEntry['outcome'], { word: string; tone: Tone }> = {
  done: { word: 'Done', tone: 'good' },
  partial: { word: 'Partly done', tone: 'warn' },
  refused: { word: 'Refused', tone: 'bad' },
  unknown: { word: 'Not known yet', tone: 'warn' },
}

/** What can stand in the trail beside the actions on a card. */
const otherActs: Record<string, string> = {
  'fee.waive': 'Waive fee',
  'payout.submit': 'Submit payout',
  'account.set-limit': 'Set fixed limit',
  'reference.set': 'Set reference',
  'identity.resubmit': 'Resubmit identity',
  'identity.simulate': 'Simulate identity decision',
  'bulk.start': 'Start bulk job',
  'bulk.pause': 'Pause bulk job',
  'bulk.resume': 'Resume bulk job',
  'bulk.cancel': 'Cancel bulk job',
  'operation.resolve': 'Resolve operation',
  'export.read': 'Export a list',
  'webhook.create': 'Add webhook',
  'webhook.recreate': 'Create webhook again',
  'webhook.remove': 'Remove webhook',
  'webhook.test': 'Test webhook',
  'sign-in': 'Sign in',
  'sign-out': 'Sign out',
  'payout.quote': 'Get payout quote',
  'staff.invite': 'Invite staff',
  'staff.set-role': 'Change a role',
  'staff.disable': 'Disable access',
  'staff.enable': 'Enable access',
  'staff.sign-out': 'Sign somebody out',
}

const acts: Record<string, string> = {
  ...Object.fromEntries(
    cardActionTable.map(({ id, label }) => [`card.${id}`, label.includes('card') ? label : `${label} card`]),
  ),
  'card.change-pin': 'Change PIN of card',
  ...otherActs,
}

export function actorName(by: AuditEntry['by']): string {
  return by?.name ?? 'The console'
}

/** `card.lock` → "Lock card"; what has no words here is shown as it is. */
export function actWord(act: string): string {
  return (Object.hasOwn(acts, act) ? acts[act] : undefined) ?? act
}

/** Everything that can stand in the trail, as a filter. */
export const actOptions = Object.keys(acts).map((act) => ({ value: act, label: actWord(act) }))

/** The reason of a card action as its dialog offers it, a payout’s purpose in words, a free text as it was written. */
export function reasonText(reason: string): string {
  if (Object.hasOwn(reasonWords, reason)) return reasonWords[reason as keyof typeof reasonWords]
  return /^[a-z]+(-[a-z]+)+$/.test(reason) ? reason.replaceAll('-', ' ') : reason
}

/** Why it was done, in one line: the reason, and what was said beside it. */
export function whyText({ reason, comment }: Pick<AuditEntry, 'reason' | 'comment'>): string {
  const parts = [reason && reason !== 'other' ? reasonText(reason) : null, comment && `“${comment}”`]
  return parts.filter(Boolean).join(', ')
}

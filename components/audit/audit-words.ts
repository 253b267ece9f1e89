import { cardActionTable } from '#components/cards/card-action-table.ts'
import type { Tone } from '#components/ui/tone.ts'
import type { AuditEntry } from '#lib/console/audit.ts'

export const outcomeTable: Record<AuditEntry['outcome'], { word: string; tone: Tone }> = {
  done: { word: 'Done', tone: 'good' },
  refused: { word: 'Refused', tone: 'bad' },
  unknown: { word: 'Not known yet', tone: 'warn' },
}

/** What staff can have done beside the actions on a card; each is offered as a filter. */
const otherActs: Record<string, string> = {
  'fee.waive': 'Waive fee',
  'payout.submit': 'Submit payout',
  'account.set-limit': 'Set fixed limit',
  'reference.set': 'Set reference',
  'bulk.start': 'Start bulk job',
  'bulk.pause': 'Pause bulk job',
  'bulk.resume': 'Resume bulk job',
  'bulk.cancel': 'Cancel bulk job',
  'export.read': 'Export a list',
  'webhook.create': 'Add webhook',
  'webhook.recreate': 'Create webhook again',
  'webhook.remove': 'Remove webhook',
  'webhook.test': 'Test webhook',
}

const acts: Record<string, string> = {
  ...Object.fromEntries(
    cardActionTable.map(({ id, label }) => [`card.${id}`, label.includes('card') ? label : `${label} card`]),
  ),
  'card.change-pin': 'Change PIN of card',
  ...otherActs,
  'sign-in': 'Sign in',
  'sign-out': 'Sign out',
  'staff.set-role': 'Change a role',
}

/** `card.lock` → "Lock card"; what has no words here is shown as it is. */
export function actWord(act: string): string {
  return (Object.hasOwn(acts, act) ? acts[act] : undefined) ?? act
}

export const actOptions = [...cardActionTable.map(({ id }) => `card.${id}`), ...Object.keys(otherActs)].map((act) => ({
  value: act,
  label: actWord(act),
}))

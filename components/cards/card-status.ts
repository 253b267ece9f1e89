import { BadgeCheck, Ban, CircleHelp, CirclePause, Lock, type LucideIcon, PackageCheck, Truck } from 'lucide-react'
import type { CardDetail, CardHistory } from '#lib/console/cards/types.ts'
import type { CardStatus } from '#lib/contract/terms.ts'
import { type CodeEntry, codeEntry, codeInSentence } from '../ui/code-entry.ts'

export type CardStatusEntry = CodeEntry & { icon: LucideIcon }

/** The label, tone and meaning of each card status. Lock is set by the client, suspend by the operator. */
export const cardStatusTable: Record<CardStatus, CardStatusEntry> = {
  active: {
    label: 'Active',
    tone: 'good',
    icon: BadgeCheck,
    meaning: 'Can be used, within its limits and the account’s available balance.',
  },
  'pending-issue': {
    label: 'Pending issue',
    tone: 'info',
    icon: Truck,
    meaning: 'Ordered, not issued yet. Nothing can be charged.',
  },
  'pending-activation': {
    label: 'Pending activation',
    tone: 'info',
    icon: PackageCheck,
    meaning:
      'Issued, not activated yet. Charges are declined until it is activated with its last six digits and expiry.',
  },
  locked: {
    label: 'Locked',
    tone: 'warn',
    icon: Lock,
    meaning: 'Charges are declined until it’s unlocked.',
  },
  suspended: {
    label: 'Suspended',
    tone: 'warn',
    icon: CirclePause,
    meaning: 'Suspended by operations. Only Unsuspend lifts it; an earlier lock stays in place.',
  },
  cancelled: {
    label: 'Cancelled',
    tone: 'bad',
    icon: Ban,
    meaning: 'Stopped for good. No action brings it back.',
  },
}

/** The entry of a status; one that this table does not know is shown as the service sent it. */
export function cardStatusEntry(status: string | null): CardStatusEntry {
  const entry = codeEntry(cardStatusTable, status)
  return { icon: CircleHelp, ...entry }
}

export function isKnownCardStatus(status: string): boolean {
  return Object.hasOwn(cardStatusTable, status)
}

/** "pending activation": a status within a sentence; an unknown one as the service sent it. */
export function statusInSentence(status: string | null): string {
  return codeInSentence(cardStatusTable, status)
}

/** Shown wherever a lock and a suspension can both occur. */
export const lockAndSuspend =
  'Lock: the cardholder’s hold. Suspend: our hold. Unlocking a card never lifts a suspension.'

/** What an unsuspended card's new status means where it isn't the expected one; null for any other. */
export function unsuspendedNote(status: string | null | undefined): string | null {
  return status === 'locked' ? 'The card is Locked, as before. Charges are declined until it’s unlocked.' : null
}

/** Effect of ending a suspension, where the status below it is known. */
export function unsuspendConsequence(underlyingStatus: CardHistory['underlyingStatus'] | undefined): string {
  if (underlyingStatus?.status === 'locked') return 'The card goes back to Locked.'
  if (underlyingStatus?.status === 'active') return 'The card becomes Active.'
  return 'The card becomes Active, or goes back to Locked if it was locked before.'
}

const underWayTexts = {
  approval: 'Its replacement waits for an approval.',
  step: 'Its replacement waits for the step before it.',
  none: 'Its replacement is being issued.',
}

/** Why a card is not replaced once more. */
export function replacedText({ replacedBy, underWay, waitsFor }: CardDetail['replacements']): string | undefined {
  if (underWay) return underWayTexts[waitsFor ?? 'none']
  if (!replacedBy) return undefined
  return replacedBy.last4 ? `Replaced by card ending ${replacedBy.last4}.` : 'Replaced by another card.'
}

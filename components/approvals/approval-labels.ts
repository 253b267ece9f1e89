import { Ban, Check, Clock, Hourglass, type LucideIcon, TriangleAlert, Undo2 } from 'lucide-react'
import { defineListParams } from '#components/filters/list-params.ts'
import { count, formatCount } from '#components/ui/count.ts'
import type { Tone } from '#components/ui/tone.ts'
import { findOperationDefinition } from '#lib/api/actions.ts'
import { approvalSearch } from '#lib/api/approvals.ts'
import { type Role, roleNames } from '#lib/auth/permissions.ts'
import { approvalTopics } from '#lib/operations/approvals/policy-rules.ts'
import type { Approval, ApprovalDetail, Approvers } from '#lib/operations/approvals/types.ts'
import type { ApprovalState } from '#lib/operations/types.ts'
import { formatAmount, moneyText } from '#lib/shared/currency.ts'
import { present } from '#lib/shared/provided.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'
import { listed, withCapital } from '#lib/shared/texts.ts'
import { isMade, recordHref } from '../operations/record-href.ts'

export const approvalStateTable: Record<ApprovalState, { label: string; tone: Tone; icon: LucideIcon }> = {
  waiting: { label: 'Waiting', tone: 'warn', icon: Hourglass },
  approved: { label: 'Approved', tone: 'good', icon: Check },
  declined: { label: 'Declined', tone: 'bad', icon: Ban },
  expired: { label: 'Expired', tone: 'neutral', icon: Clock },
  withdrawn: { label: 'Withdrawn', tone: 'neutral', icon: Undo2 },
}

/** The state of a request and, where it was approved, what became of it: "Approved, but not done". */
export function decisionText(state: ApprovalState, outcome: Approval['outcome'] | undefined): string {
  return (outcome && approvedTexts[outcome]) ?? approvalStateTable[state].label
}

/** The badge of a request: an approved one is good only where it was done, or may yet be. */
export function toApprovalBadge({ state, outcome }: Pick<Approval, 'state' | 'outcome'>) {
  const badge = { ...approvalStateTable[state], label: decisionText(state, outcome) }
  return outcome !== null && notGood.has(outcome) ? { ...badge, tone: 'warn' as const, icon: TriangleAlert } : badge
}

const notGood: ReadonlySet<Approval['outcome']> = new Set(['partial', 'refused', 'unknown'])

const approvedTexts: Partial<Record<NonNullable<Approval['outcome']>, string>> = {
  done: 'Approved and done',
  partial: 'Approved, done in part',
  refused: 'Approved, but not done',
  unknown: 'Approved, not confirmed yet',
  running: 'Approved, in progress',
}

/** How a request ended, as a sentence: "Olivia Poon withdrew this request." */
export function decidedText({ state, decidedBy }: Pick<Approval, 'state' | 'decidedBy'>): string {
  if (state === 'expired') return 'This request has expired.'
  return decidedBy && state in deeds
    ? `${decidedBy.name} ${deeds[state]} this request.`
    : `This request is ${approvalStateTable[state].label.toLowerCase()}.`
}

const deeds: Partial<Record<ApprovalState, string>> = {
  approved: 'approved',
  declined: 'declined',
  withdrawn: 'withdrew',
}

/** Title of a request: "Lock card ending 4242", "Set fixed limit: Olive Lee"; for a payout or a job, its own label. */
export function requestTitle({ subject, kind, topic, target: { label, type } }: Approval): string {
  const action = findOperationDefinition(kind)?.label
  if (label === null) return action ?? approvalTopics[topic].one
  if (action === undefined || subject === 'bulk-job' || type === 'payout') return label
  const isOfCard = action.endsWith(' card') && label.startsWith('card ')
  return isOfCard ? `${action.slice(0, -'card'.length)}${label}` : `${action}: ${label}`
}

/**
 * The effect of a request: of a job with its amounts, of a payout that waits with what a new quote would keep and cost, or will, where
 * its own has expired.
 */
export function effectText(detail: Pick<ApprovalDetail, 'approval' | 'terms' | 'payout' | 'limits'>): string {
  const { approval, limits } = detail
  return present([payoutEffect(detail), refundText(approval.refunds), ...limits.map(limitsText)]).join(' ')
}

function payoutEffect({ approval, terms, payout }: Pick<ApprovalDetail, 'approval' | 'terms' | 'payout'>): string {
  if (!terms || !payout || approval.state !== 'waiting') return approval.effect
  const most = moneyText(terms.maximumSourceAmount, terms.sourceCurrency)
  const kept = moneyText(payout.destinationAmount, payout.destinationCurrency)
  if (!terms.hasExpired) {
    return `${approval.effect} If the quote expires first, a new one is made: the beneficiary still receives ${kept}, and at most ${most} is debited.`
  }
  const quoted = moneyText(terms.sourceAmount, terms.sourceCurrency)
  return `The quote of ${quoted} has expired, so a new one is made on approval: the beneficiary still receives ${kept}, and the funding account is debited at most ${most}. Pays ${approval.target.label ?? kept}.`
}

function refundText(refunds: Approval['refunds']): string | null {
  const excluded = refunds.reduce((fees, one) => fees + one.excluded, 0)
  const sums = refunds.flatMap(({ whole, currency }) => (whole === null ? [] : [moneyText(whole, currency)]))
  const left = excluded === 0 ? null : `${formatCount(excluded, 'fee')} without an amount or direction`
  if (sums.length === 0) return left && `The amount returned is not known: ${left}.`
  return `Returns ${listed(sums)} to the accounts${left === null ? '' : `, excluding ${left}`}.`
}

function limitsText({ currency, lowest, highest, raised, rows }: ApprovalDetail['limits'][number]): string | null {
  if (lowest === null || highest === null) return null
  const sizes =
    lowest === highest
      ? `New limit: ${moneyText(highest, currency)}`
      : `New limits: ${formatAmount(lowest, currency || null)} to ${moneyText(highest, currency)}`
  return `${sizes}, ${count.format(raised)} of ${count.format(rows)} raised.`
}

/** Who can decide, as a sentence. */
export function approversText(approvers: Approvers): string {
  if (approvers.count === 0) return `Nobody else is ${rolesText(approvers)} now. Ask an administrator.`
  const who = whoDecides(approvers)
  return `${withCapital(who)} can decide.`
}

/** The people who can decide, as the subject of a sentence: by name where they are few. */
export function whoDecides(approvers: Approvers): string {
  const { count, names } = approvers
  if (names.length > 0) return `${names.join(' or ')} (${rolesText(approvers)})`
  return count === 1 ? `1 person (${rolesText(approvers)})` : `one of ${count} people (${rolesText(approvers)})`
}

export function rolesText({ roles }: Pick<Approvers, 'roles'>): string {
  return roles.map((role) => roleNames[role as Role]).join(' or ')
}

/** Where the object of a request is; null where it has no page. */
export function targetHref(environment: Environment, { subject, id, target }: Approval): string | null {
  if (subject === 'bulk-job') return routes.bulkJob(environment, id)
  return isMade(id, target) ? recordHref(environment, target) : null
}

export const approvalList = defineListParams(approvalSearch)

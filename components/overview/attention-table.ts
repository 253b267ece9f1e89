import {
  CircleHelp,
  CircleX,
  Gauge,
  Hourglass,
  IdCard,
  type LucideIcon,
  Scale,
  ShieldCheck,
  TrendingDown,
  UserRoundX,
} from 'lucide-react'
import type { ReadResult } from '#lib/queries/reads.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'

export type AttentionRow = {
  icon: LucideIcon
  tone: 'warn' | 'bad'
  title: { one: string; many: string }
  meaning: string
  href: (environment: Environment) => string
  /** Where an example leads; only its label where there is no such page. */
  exampleHref: ((environment: Environment, id: string) => string) | null
}

/** What each kind of item is called, means, and where it leads. */
export const attentionTable: Record<ReadResult<'readOverview'>['attention'][number]['id'], AttentionRow> = {
  'approval-waiting': {
    icon: ShieldCheck,
    tone: 'warn',
    title: { one: 'request waiting for approval', many: 'requests waiting for approval' },
    meaning: 'Nothing is sent until another person approves it.',
    href: (environment) => routes.approvals(environment, { state: 'waiting' }),
    exampleHref: routes.approval,
  },
  'outcome-unknown': {
    icon: CircleHelp,
    tone: 'bad',
    title: { one: 'action without a known outcome', many: 'actions without a known outcome' },
    meaning: 'The API’s response was lost. Carddesk settles them, once each, when it responds again.',
    href: (environment) => routes.audit(environment, { outcome: 'unknown' }),
    exampleHref: null,
  },
  'payout-stopped': {
    icon: CircleX,
    tone: 'bad',
    title: { one: 'payout stopped within a day', many: 'payouts stopped within a day' },
    meaning: 'Cancelled or failed: the money is back in its account, and the beneficiary is not paid.',
    href: (environment) => routes.payouts(environment, { status: 'cancelled,failed', sort: '-updated' }),
    exampleHref: routes.payout,
  },
  'payout-in-review': {
    icon: Hourglass,
    tone: 'warn',
    title: { one: 'payout in review for over a day', many: 'payouts in review for over a day' },
    meaning: 'Requested and not sent yet. The review is taking longer than usual.',
    href: (environment) => routes.payouts(environment, { status: 'requested', sort: 'updated' }),
    exampleHref: routes.payout,
  },
  'over-limit': {
    icon: TrendingDown,
    tone: 'bad',
    title: { one: 'account over its limit', many: 'accounts over their limit' },
    meaning: 'Nothing is available: every charge is declined until something is repaid or loaded.',
    href: (environment) => routes.cardAccounts(environment, { limit: 'over' }),
    exampleHref: routes.cardAccount,
  },
  'near-limit': {
    icon: Gauge,
    tone: 'warn',
    title: { one: 'account near its limit', many: 'accounts near their limit' },
    meaning: 'Almost at the credit limit; charges may be declined.',
    href: (environment) => routes.cardAccounts(environment, { limit: 'near' }),
    exampleHref: routes.cardAccount,
  },
  'identity-rejected': {
    icon: UserRoundX,
    tone: 'bad',
    title: { one: 'identity rejected', many: 'identities rejected' },
    meaning: 'Ask the cardholder for the missing documents.',
    href: (environment) => routes.identity(environment, { status: 'rejected' }),
    exampleHref: routes.identityCase,
  },
  'identity-pending': {
    icon: IdCard,
    tone: 'warn',
    title: { one: 'identity pending', many: 'identities pending' },
    meaning: 'Under review; nothing has been decided yet.',
    href: (environment) => routes.identity(environment, { status: 'pending' }),
    exampleHref: routes.identityCase,
  },
  disputed: {
    icon: Scale,
    tone: 'warn',
    title: { one: 'account with disputes', many: 'accounts with disputes' },
    meaning: 'Amounts under dispute, requested or pending.',
    href: (environment) => routes.cardAccounts(environment, { disputed: 'yes' }),
    exampleHref: routes.cardAccount,
  },
}

import { CircleHelp, Gauge, IdCard, type LucideIcon, Scale, TrendingDown, UserRoundX } from 'lucide-react'
import type { AttentionItem } from '#lib/console/overview.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'

export type AttentionRow = {
  icon: LucideIcon
  tone: 'warn' | 'bad'
  title: { one: string; many: string }
  meaning: string
  href: (environment: Environment) => string
  isOfAccounts: boolean
}

/** What each kind of item is called, means, and where it leads. */
export const attentionTable: Record<AttentionItem['id'], AttentionRow> = {
  'outcome-unknown': {
    icon: CircleHelp,
    tone: 'bad',
    title: { one: 'action without a known outcome', many: 'actions without a known outcome' },
    meaning: 'The service’s answer was lost. They are settled by themselves once it answers, each once.',
    href: (environment) => routes.audit(environment, { outcome: 'unknown' }),
    isOfAccounts: false,
  },
  'over-limit': {
    icon: TrendingDown,
    tone: 'bad',
    title: { one: 'account over its limit', many: 'accounts over their limit' },
    meaning: 'Nothing is available: every charge is declined until something is repaid or loaded.',
    href: (environment) => routes.cardAccounts(environment, { outstanding: 'yes', sort: 'available' }),
    isOfAccounts: true,
  },
  'near-limit': {
    icon: Gauge,
    tone: 'warn',
    title: { one: 'account near its limit', many: 'accounts near their limit' },
    meaning: 'Little is left of what may be owed; the next charges may be declined.',
    href: (environment) => routes.cardAccounts(environment, { outstanding: 'yes', sort: 'available' }),
    isOfAccounts: true,
  },
  'identity-rejected': {
    icon: UserRoundX,
    tone: 'bad',
    title: { one: 'identity rejected', many: 'identities rejected' },
    meaning: 'The client has to send what was missing; nothing goes on until then.',
    href: (environment) => routes.cardAccounts(environment, { identity: 'rejected' }),
    isOfAccounts: true,
  },
  'identity-pending': {
    icon: IdCard,
    tone: 'warn',
    title: { one: 'identity pending', many: 'identities pending' },
    meaning: 'Under review; nothing has been decided yet.',
    href: (environment) => routes.cardAccounts(environment, { identity: 'pending' }),
    isOfAccounts: true,
  },
  disputed: {
    icon: Scale,
    tone: 'warn',
    title: { one: 'account with disputes', many: 'accounts with disputes' },
    meaning: 'Amounts under dispute, requested or pending.',
    href: (environment) => routes.cardAccounts(environment, { disputed: 'yes', sort: '-disputeAmount' }),
    isOfAccounts: true,
  },
}

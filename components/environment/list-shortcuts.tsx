import {
  Ban,
  BadgeAlert,
  CircleX,
  Clock,
  Gauge,
  HandCoins,
  IdCard,
  Lock,
  MessageSquareWarning,
  Pause,
  ShieldCheck,
} from 'lucide-react'
import type { Command } from '#components/layout/commands.tsx'
import type { Permission } from '#lib/auth/permissions.ts'
import { type Environment, routes, type Search } from '#lib/shared/routes.ts'

type Shortcut = {
  label: string
  /** Other words that find it in the palette. */
  keywords: string
  icon: React.ReactNode
  needs: Permission
  at: (environment: Environment, search: Search) => string
  search: Search
}

/** Links to filtered lists by task or problem, for people who type a verb in the palette. */
const shortcuts: readonly Shortcut[] = [
  {
    label: 'Waive fees',
    keywords: 'waive waiver refund fee posted',
    icon: <HandCoins />,
    needs: 'fees.waive',
    at: routes.fees,
    search: { status: 'pending,posted' },
  },
  {
    label: 'Waived fees',
    keywords: 'waive waived void fee',
    icon: <Ban />,
    needs: 'accounts.read',
    at: routes.fees,
    search: { status: 'void' },
  },
  {
    label: 'Pending fees',
    keywords: 'pending fee',
    icon: <Clock />,
    needs: 'accounts.read',
    at: routes.fees,
    search: { status: 'pending' },
  },
  {
    label: 'Locked cards',
    keywords: 'lock unlock locked frozen',
    icon: <Lock />,
    needs: 'accounts.read',
    at: routes.cards,
    search: { status: 'locked' },
  },
  {
    label: 'Suspended cards',
    keywords: 'suspend unsuspend suspended blocked',
    icon: <Pause />,
    needs: 'accounts.read',
    at: routes.cards,
    search: { status: 'suspended' },
  },
  {
    label: 'Cancelled cards',
    keywords: 'cancel cancelled closed',
    icon: <CircleX />,
    needs: 'accounts.read',
    at: routes.cards,
    search: { status: 'cancelled' },
  },
  {
    label: 'Cards to activate',
    keywords: 'activate activation pending-activation',
    icon: <Clock />,
    needs: 'accounts.read',
    at: routes.cards,
    search: { status: 'pending-activation' },
  },
  {
    label: 'Cards near their limit',
    keywords: 'limit nearly used card',
    icon: <Gauge />,
    needs: 'accounts.read',
    at: routes.cards,
    search: { limit: 'near', sort: '-limitUse' },
  },
  {
    label: 'Declined transactions',
    keywords: 'decline declined refused reason charge',
    icon: <Ban />,
    needs: 'accounts.read',
    at: routes.transactions,
    search: { status: 'declined' },
  },
  {
    label: 'Transactions in dispute',
    keywords: 'dispute disputed chargeback',
    icon: <MessageSquareWarning />,
    needs: 'accounts.read',
    at: routes.transactions,
    search: { dispute: 'open', sort: 'disputeOpenedAt' },
  },
  {
    label: 'Accounts with disputes',
    keywords: 'dispute disputed chargeback',
    icon: <MessageSquareWarning />,
    needs: 'accounts.read',
    at: routes.cardAccounts,
    search: { disputed: 'yes' },
  },
  {
    label: 'Accounts over their limit',
    keywords: 'over limit exceeded',
    icon: <Gauge />,
    needs: 'accounts.read',
    at: routes.cardAccounts,
    search: { limit: 'over' },
  },
  {
    label: 'Rejected identities',
    keywords: 'reject rejected resubmit kyc identity',
    icon: <BadgeAlert />,
    needs: 'accounts.read',
    at: routes.identity,
    search: { status: 'rejected' },
  },
  {
    label: 'Pending identities',
    keywords: 'pending review kyc identity',
    icon: <IdCard />,
    needs: 'accounts.read',
    at: routes.identity,
    search: { status: 'pending' },
  },
  {
    label: 'Requests waiting for approval',
    keywords: 'approve approval decline maker checker four eyes waiting',
    icon: <ShieldCheck />,
    needs: 'approvals.read',
    at: routes.approvals,
    search: { state: 'waiting' },
  },
  {
    label: 'Failed payouts',
    keywords: 'fail failed payout',
    icon: <CircleX />,
    needs: 'payouts.read',
    at: routes.payouts,
    search: { status: 'failed' },
  },
  {
    label: 'Payouts in progress',
    keywords: 'processing requested payout',
    icon: <Clock />,
    needs: 'payouts.read',
    at: routes.payouts,
    search: { status: 'processing,requested' },
  },
]

export function listShortcuts(environment: Environment, may: readonly Permission[]): Command[] {
  return shortcuts
    .filter(({ needs }) => may.includes(needs))
    .map(({ label, keywords, icon, at, search }) => ({
      id: `list-${label}`,
      label,
      keywords,
      icon,
      group: 'Lists',
      href: at(environment, search),
    }))
}

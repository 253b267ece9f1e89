import {
  AppWindow,
  CircleHelp,
  CircleUser,
  CreditCard,
  FlaskConical,
  Gauge,
  House,
  IdCard,
  ListChecks,
  Percent,
  ReceiptText,
  Scale,
  ScrollText,
  Send,
  ShieldCheck,
  UserPlus,
  Users,
  WalletCards,
  Webhook,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { NavigationItem } from '#components/layout/side-bar.tsx'
import type { Permission, Role } from '#lib/auth/permissions.ts'
import type { CurrentStaff } from '#lib/auth/types.ts'
import { type Environment, environmentOfPath, routes } from '#lib/shared/routes.ts'

/** An entry of the navigation: what a person does, with its pages as tabs. It leads to the first that the person may open. */
type Area = {
  label: string
  icon: ReactNode
  pages: readonly TaskPage[]
  /** Roles whose day it is no part of. They find its pages in the palette. */
  notFor?: readonly Role[]
}

const allAreas: readonly Area[] = [
  {
    label: 'Home',
    icon: <House />,
    pages: [
      { at: routes.overview, label: 'Home', keywords: 'overview my work', isExact: true },
      { at: routes.approvals, label: 'Approvals', icon: <ShieldCheck />, needs: 'approvals.read' },
      { at: routes.bulkJobs, label: 'Jobs', icon: <ListChecks />, keywords: 'bulk jobs', needs: 'accounts.read' },
      {
        at: routes.unsettled,
        label: 'Outcomes',
        icon: <CircleHelp />,
        keywords: 'operations, outcomes not known',
        needs: 'accounts.read',
      },
    ],
  },
  {
    label: 'Accounts',
    icon: <WalletCards />,
    pages: [{ at: routes.cardAccounts, label: 'Accounts', keywords: 'card accounts', needs: 'accounts.read' }],
  },
  { label: 'Cards', icon: <CreditCard />, pages: [{ at: routes.cards, label: 'Cards', needs: 'accounts.read' }] },
  {
    label: 'Transactions',
    icon: <ReceiptText />,
    pages: [{ at: routes.transactions, label: 'Transactions', needs: 'accounts.read' }],
  },
  {
    label: 'Payouts',
    icon: <Send />,
    pages: [
      { at: routes.payouts, label: 'Payouts', needs: 'payouts.read' },
      { at: routes.fundingAccounts, label: 'Funding', keywords: 'funding accounts', needs: 'payouts.read' },
      { at: routes.rates, label: 'Rates', needs: 'payouts.read' },
      { at: routes.banks, label: 'Banks', needs: 'payouts.read' },
    ],
  },
  {
    label: 'Fees',
    icon: <Percent />,
    notFor: ['support'],
    pages: [{ at: routes.fees, label: 'Fees', needs: 'accounts.read' }],
  },
  {
    label: 'Identity',
    icon: <IdCard />,
    notFor: ['support'],
    pages: [{ at: routes.identity, label: 'Identity', needs: 'accounts.read' }],
  },
  {
    label: 'Audit',
    icon: <ScrollText />,
    notFor: ['support'],
    pages: [{ at: routes.audit, label: 'Audit', needs: 'audit.read' }],
  },
  {
    label: 'Developers',
    icon: <Webhook />,
    notFor: ['support'],
    pages: [
      { at: routes.webhooks, label: 'Webhooks', isExact: true, needs: 'webhooks.read' },
      { at: routes.inbox, label: 'Events', keywords: 'event inbox', needs: 'webhooks.read' },
      { at: routes.requests, label: 'API requests', needs: 'audit.read' },
      { at: routes.connection, label: 'Connection', needs: 'connection.read' },
      { at: routes.lab, label: 'QA lab', hasPages: true, needs: 'sandbox.simulate' },
    ],
  },
]

/** Pages of settings, in the menu under the person's name. */
export const settingsPages: readonly TaskPage[] = [
  { at: routes.policy, label: 'Policy', icon: <Scale />, needs: 'policy.read' },
  { at: routes.staff, label: 'Staff', icon: <Users />, needs: 'staff.manage' },
  { at: routes.embedding, label: 'Embedding', icon: <AppWindow />, needs: 'embeds.manage' },
  { at: routes.ownAccount, label: 'Your account', icon: <CircleUser /> },
]

/** Pages of the QA lab that the palette finds; the built-in sandbox has them. */
export const labPages: readonly TaskPage[] = [
  { at: routes.scenarios, label: 'Scenarios', icon: <FlaskConical />, keywords: 'QA lab', needs: 'sandbox.simulate' },
]

/** Commands that every page offers. */
export const tasks: readonly TaskPage[] = [
  {
    at: routes.newPayout,
    label: 'New payout',
    icon: <Send />,
    keywords: 'pay send money transfer quote convert withdraw',
    needs: 'payouts.submit',
  },
  {
    at: routes.openAccount,
    label: 'Open card account',
    icon: <UserPlus />,
    keywords: 'add create new customer person onboard issue',
    needs: 'accounts.open',
  },
  {
    at: routes.limits,
    label: 'Set limits by CSV',
    icon: <Gauge />,
    keywords: 'change raise lower increase spending limit file upload import',
    needs: 'limits.set',
  },
]

type TaskPage = NavigationPage & { needs?: Permission }
type NavigationPage = Omit<NavigationItem, 'href' | 'icon'> & {
  icon?: ReactNode
  at: (environment: Environment) => string
}

/** The areas of a person, each with the tabs that they may open; those that are not frequent are in the palette alone. */
export function areasFor(
  environment: Environment,
  { staff: { role }, permissions }: Pick<CurrentStaff, 'permissions'> & { staff: Pick<CurrentStaff['staff'], 'role'> },
): (NavigationItem & { isFrequent: boolean; tabs: readonly NavigationItem[] })[] {
  return allAreas.flatMap(({ label, icon, pages, notFor = [] }) => {
    const tabs = itemsFor(pages, environment, permissions[environment]).map((tab) => ({
      ...tab,
      icon: tab.icon ?? icon,
    }))
    const [first] = tabs
    return first ? [{ href: first.href, label, icon, isFrequent: !notFor.includes(role), tabs }] : []
  })
}

export function itemsFor(
  items: readonly TaskPage[],
  environment: Environment,
  may: readonly Permission[],
): NavigationItem[] {
  return items
    .filter(({ needs }) => needs === undefined || may.includes(needs))
    .map(({ at, icon = null, ...item }) => ({ ...item, href: at(environment), icon }))
}

/** The permission that a page needs: that of its entry, or of the entry that it is below; every page needs at least the accounts. */
export function findPagePermission(pathname: string): Permission {
  const environment = environmentOfPath(pathname) ?? 'sandbox'
  const [entry] = [...allAreas.flatMap(({ pages }) => pages), ...settingsPages, ...tasks]
    .map(({ at, needs }) => ({ href: at(environment), needs }))
    .filter(({ href }) => pathname === href || pathname.startsWith(`${href}/`))
    .toSorted((one, other) => other.href.length - one.href.length)
  return entry?.needs ?? 'accounts.read'
}

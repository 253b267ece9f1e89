import {
  ArrowLeftRight,
  ArrowUpDown,
  CreditCard,
  ReceiptText,
  ScrollText,
  Send,
  WalletCards,
  Webhook,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { actLabel, outcomeTable } from '#components/audit/audit-labels.ts'
import { cardStatusEntry } from '#components/cards/card-status.ts'
import type { Command } from '#components/layout/commands.tsx'
import { payoutStatusEntry } from '#components/payouts/payout-labels.ts'
import { transactionStatusEntry } from '#components/transactions/transaction-labels.ts'
import { findEntry } from '#components/ui/code-entry.ts'
import { feeIntentTitle } from '#lib/contract/fee-intents.ts'
import type { ReadResult } from '#lib/queries/reads.ts'
import { shortId } from '#lib/shared/ids.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'

type Found = ReadResult<'searchConsole'>['found'][number]

type FoundRow = {
  group: string
  icon: ReactNode
  href: (environment: Environment, found: Found) => string
  label: (found: Found) => string
  /** Label of a status. */
  status?: (status: string) => string
}

/** How each kind that a search finds is shown, and where it leads. */
const foundTable: Record<Found['kind'], FoundRow> = {
  card: {
    group: 'Cards',
    icon: <CreditCard />,
    href: (environment, { id, parentId }) => routes.card(environment, parentId ?? '', id),
    label: ({ label, id }) => (label ? `Card ending ${label}` : `Card ${shortId(id)}`),
    status: (status) => cardStatusEntry(status).label,
  },
  cardaccount: {
    group: 'Card accounts',
    icon: <WalletCards />,
    href: (environment, { id }) => routes.cardAccount(environment, id),
    label: ({ label, id }) => label || `Account ${shortId(id)}`,
  },
  payout: {
    group: 'Payouts',
    icon: <Send />,
    href: (environment, { id }) => routes.payout(environment, id),
    label: ({ label }) => `Payout to ${label || 'unnamed beneficiary'}`,
    status: (status) => payoutStatusEntry(status).label,
  },
  transaction: {
    group: 'Transactions',
    icon: <ArrowLeftRight />,
    href: (environment, { id, parentId }) => routes.transaction(environment, parentId ?? '', id),
    label: ({ label, id }) => label || `Transaction ${shortId(id)}`,
    status: (status) => transactionStatusEntry(status).label,
  },
  fee: {
    group: 'Fees',
    icon: <ReceiptText />,
    href: (environment, { id }) => routes.fees(environment, { open: id }),
    label: ({ label, id }) => (label ? feeIntentTitle(label) : `Fee ${shortId(id)}`),
    status: (status) => transactionStatusEntry(status).label,
  },
  webhook: {
    group: 'Webhooks',
    icon: <Webhook />,
    href: (environment, { id }) => `${routes.webhooks(environment)}#webhook-${id}`,
    label: ({ label, id }) => label || `Webhook ${shortId(id)}`,
  },
  request: {
    group: 'API requests',
    icon: <ArrowUpDown />,
    href: (environment, { id }) => routes.requests(environment, { open: id }),
    label: ({ label, id }) => label || `Request ${id}`,
  },
  audit: {
    group: 'Audit',
    icon: <ScrollText />,
    href: (environment, { id }) => routes.audit(environment, { open: id }),
    label: ({ label }) => actLabel(label ?? ''),
    status: (status) => findEntry(outcomeTable, status)?.label ?? status,
  },
}

export function foundCommand(environment: Environment, found: Found): Command {
  const { group, icon, href, label, status = (code) => code } = foundTable[found.kind]
  return {
    id: `${found.kind}-${found.id}`,
    label: label(found),
    group,
    icon,
    hint: [found.hint, found.status && status(found.status)].filter(Boolean).join(' · '),
    href: href(environment, found),
  }
}

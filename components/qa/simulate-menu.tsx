'use client'

import { ChevronDown, FlaskConical } from 'lucide-react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { disputeOptions } from '#components/transactions/transaction-labels.ts'
import { lazyDialog, useOpened } from '#components/ui/dialog.tsx'
import { Menu, type MenuItem } from '#components/ui/menu.tsx'
import { declineReasons } from '#lib/contract/sandbox.ts'
import { isUncounted } from '#lib/contract/terms.ts'
import { routes } from '#lib/shared/routes.ts'
import { interfaceSimulators, onlyBuiltIn } from './interface-simulators.ts'
import type { FormValues, SimulatorName } from './simulators.ts'
import { useSimulating } from './use-lab.tsx'

const SimulateDialog = lazyDialog(() => import('./simulator-form.tsx').then((file) => file.SimulateDialog))

type Simulation = { simulator: SimulatorName; given: FormValues; isSentAtOnce: boolean }

/** The simulations for an account, a card or a transaction. Renders nothing where there is no lab. */
export function SimulateMenu({
  about,
}: {
  about: { cardAccountId: string; currency?: string | null } & (
    | { cardId: string }
    | { transactionId: string; status: string | null }
    | { cardId?: undefined; transactionId?: undefined }
  )
}) {
  const environment = useEnvironment()
  const lab = useSimulating()
  const simulation = useOpened<Simulation>()
  if (lab === null) return null
  const known: FormValues = {
    cardAccountId: about.cardAccountId,
    ...(about.currency ? { currency: about.currency } : {}),
  }
  const open = (simulator: SimulatorName, given: FormValues, isSentAtOnce = false) =>
    simulation.open({ simulator, given, isSentAtOnce })
  const unavailable = (name: SimulatorName) =>
    lab === 'built-in' || interfaceSimulators.includes(name) ? {} : { unavailable: onlyBuiltIn }
  const action = (label: string, simulator: SimulatorName, given: FormValues = known) => ({
    kind: 'action' as const,
    label,
    onSelect: () => open(simulator, given),
    ...unavailable(simulator),
  })
  return (
    <>
      <Menu
        label="Simulate"
        trigger={
          <>
            <FlaskConical aria-hidden="true" />
            Simulate
            <ChevronDown aria-hidden="true" />
          </>
        }
        items={listItems()}
        className="max-h-[70dvh] max-w-[calc(100vw-2rem)] overflow-y-auto"
      />
      {simulation.opened && <SimulateDialog key={simulation.opened.operationId} {...simulation.opened} />}
    </>
  )

  function listItems(): MenuItem[] {
    if ('transactionId' in about && about.transactionId !== undefined) {
      const given = { cardAccountId: about.cardAccountId, transactionId: about.transactionId }
      const capturable =
        about.status === 'pending' ? {} : { unavailable: 'Only a pending transaction can be captured.' }
      const reversible = isUncounted(about.status)
        ? { unavailable: 'Only a pending or posted charge can be reversed.' }
        : {}
      const now = (label: string, simulator: SimulatorName, values: FormValues = {}): MenuItem => ({
        ...action(label, simulator),
        onSelect: () => open(simulator, { ...given, ...values }, true),
      })
      if (lab === 'interface') {
        return [
          { ...now('Reverse all', 'reverse'), ...reversible },
          action('Capture…', 'capture'),
          action('Send event…', 'event'),
          action('Set the dispute…', 'dispute'),
        ]
      }
      return [
        { ...now('Capture all', 'capture'), ...capturable },
        { ...action('Capture a part…', 'capture', given), ...capturable },
        { ...now('Reverse all', 'reverse'), ...reversible },
        { ...action('Reverse a part…', 'reverse', given), ...reversible },
        action('Send event…', 'event', { ...given, event: 'cardaccount.transaction.updated' }),
        { kind: 'heading', label: 'Dispute' },
        ...disputeOptions.map(({ value, label }) => now(label, 'dispute', { status: value })),
      ]
    }
    if (about.cardId !== undefined) {
      const given = { ...known, cardId: about.cardId }
      return [
        action('Authorize a charge…', 'charge', given),
        action('Send event…', 'event', { cardId: about.cardId, event: 'card.updated' }),
        ...(lab === 'interface' ? [] : declines(given)),
      ]
    }
    return [
      action('Top up…', 'credit', { ...known, intent: 'topup' }),
      action('Repay…', 'repay', { cardAccountIds: about.cardAccountId }),
      action('Cashback, interest, refund…', 'credit', { ...known, intent: 'cashback' }),
      action('Charge a fee…', 'fee'),
      action('Send event…', 'event', { cardAccountId: about.cardAccountId, event: 'cardaccount.balance' }),
      { kind: 'link', label: 'Decide identity…', href: routes.identityCase(environment, about.cardAccountId) },
    ]
  }

  function declines(given: FormValues): MenuItem[] {
    return [
      { kind: 'heading', label: 'Decline a charge of 50' },
      ...Object.entries(declineReasons).map(([declineReason, { responseMessage }]) => ({
        kind: 'action' as const,
        label: responseMessage,
        onSelect: () => open('charge', { ...given, declineReason }, true),
      })),
    ]
  }
}

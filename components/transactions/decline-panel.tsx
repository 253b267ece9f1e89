'use client'

import { Gauge } from 'lucide-react'
import type { ReactNode } from 'react'
import { accountTitle } from '#components/card-accounts/account-labels.ts'
import { useCardActions } from '#components/cards/use-card-actions.tsx'
import { useSetLimit } from '#components/limits/limit-buttons.tsx'
import { declineEn } from '#components/messages/decline-en.ts'
import { declineZhHant } from '#components/messages/decline-zh-hant.ts'
import { formatTimeZhHant } from '#components/messages/time-zh-hant.ts'
import { amountText } from '#components/ui/amount.tsx'
import { Button } from '#components/ui/button.tsx'
import { CopyButton } from '#components/ui/id-text.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { formatTime } from '#components/ui/time-format.ts'
import type { TransactionDecline } from '#lib/console/transactions/types.ts'
import type { Card, CardAccount, CardAccountTransaction } from '#lib/contract/records.ts'
import { describeDecline, type DeclineBoundText } from './decline-text.ts'

export type Declined = { decline: TransactionDecline; transaction: Pick<CardAccountTransaction, 'authorization'> }

/** Why a charge was declined, with the buttons of what would let the same charge pass. */
export function DeclinePanel({ decline, transaction }: Declined) {
  const { card, account } = decline
  return (
    <Panel title={declineEn.why}>
      <DeclineExplained decline={decline} transaction={transaction}>
        {(steps) => (
          <div className="mt-2 flex flex-wrap gap-2 empty:hidden">
            {card && <CardSteps steps={steps} card={card} account={account} />}
            <LimitSteps steps={steps} account={account} />
          </div>
        )}
      </DeclineExplained>
    </Panel>
  )
}

/** Why a charge was declined, by which limits, what would let the same charge pass, and what to say to the cardholder. */
export function DeclineExplained({
  decline,
  transaction,
  children,
}: Declined & {
  /** The buttons of the steps. */
  children?: (steps: Steps) => ReactNode
}) {
  const zone = usePageZone()
  const describe = (texts: typeof declineEn, time: (instant: string) => string) =>
    describeDecline({ texts, amount: amountText, time }, decline, transaction, children !== undefined)
  const english = describe(declineEn, (instant) => `${formatTime(instant, zone, 'short') ?? instant} ${zone.label}`)
  const chinese = describe(declineZhHant, (instant) => formatTimeZhHant(instant, zone))
  return (
    <div className="@container">
      <p className="font-medium text-pretty">{english.why}</p>
      <div className="mt-3 grid gap-x-8 gap-y-4 @3xl:grid-cols-2">
        <Bounds bounds={english.bounds} />
        <div className="grid content-start gap-4 @max-3xl:order-first">
          <section>
            <h3 className="text-xs text-soft">{declineEn.now}</h3>
            <p className="mt-1 text-pretty">{english.now}</p>
            {children?.(english.steps)}
          </section>
          <section className="grid gap-2">
            <h3 className="text-xs text-soft">{declineEn.tell}</h3>
            <Words lang="en" language="English" text={english.tell} />
            <Words lang="zh-Hant-HK" language="Traditional Chinese" text={chinese.tell} />
          </section>
        </div>
      </div>
    </div>
  )
}

/** The limits of the charge, each with what it leaves it. */
function Bounds({ bounds }: { bounds: readonly DeclineBoundText[] }) {
  return (
    <section>
      <h3 className="text-xs text-soft">{declineEn.bounds}</h3>
      <ul className="mt-1 divide-y">
        {bounds.map(({ label, limit, slack, isOver }) => (
          <li key={label} className="flex flex-wrap items-baseline justify-between gap-x-4 py-1.5">
            <span>
              {label}
              {limit !== null && limit !== slack && <span className="text-faint"> {limit}</span>}
            </span>
            <span className={`ml-auto text-right tabular-nums ${isOver ? 'font-medium text-bad' : 'text-soft'}`}>
              {slack}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

type Steps = ReturnType<typeof describeDecline>['steps']
type StepsProps = { steps: Steps; account: CardAccount }

/** A button for each step on the card: the ordinary action, whose dialog stays while the records change below it. */
function CardSteps({ steps, card, account }: StepsProps & { card: Card }) {
  const target = { card, cardAccountId: account.id, accountName: accountTitle(account), currency: account.currency }
  const { actions, dialog } = useCardActions(target)
  return (
    <>
      {steps.map(({ step, label }) => {
        const offered = actions.find(({ action }) => step.kind === 'card-action' && action === step.action)
        if (!offered) return null
        const Icon = offered.icon
        return (
          <Button
            key={offered.action}
            icon={<Icon aria-hidden="true" />}
            aria-haspopup="dialog"
            unavailable={offered.unavailable}
            onClick={offered.open}
          >
            {label}
          </Button>
        )
      })}
      {dialog}
    </>
  )
}

/** The button for a step on the account, in the same way. */
function LimitSteps({ steps, account }: StepsProps) {
  const { unavailable, open, dialog } = useSetLimit(account)
  return (
    <>
      {steps.map(
        ({ step, label }) =>
          step.kind === 'set-limit' && (
            <Button
              key={step.kind}
              icon={<Gauge aria-hidden="true" />}
              aria-haspopup="dialog"
              unavailable={unavailable}
              onClick={() => open(step.limit)}
            >
              {label}
            </Button>
          ),
      )}
      {dialog}
    </>
  )
}

function Words({ lang, language, text }: { lang: string; language: string; text: string }) {
  return (
    <div className="flex items-start justify-between gap-2 rounded-control bg-sunken px-3 py-2">
      <p lang={lang} className="min-w-0 text-pretty">
        {text}
      </p>
      <CopyButton text={text} label={`words in ${language}`} />
    </div>
  )
}

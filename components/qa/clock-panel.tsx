'use client'

import { useState } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { SelectField } from '#components/form/select-field.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { Button } from '#components/ui/button.tsx'
import { formatCount } from '#components/ui/count.ts'
import { IdText } from '#components/ui/id-text.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { durationText, formatTime } from '#components/ui/time-format.ts'
import { Time, useTicking } from '#components/ui/time.tsx'
import { type ReadResult } from '#lib/queries/reads.ts'
import { routes, type Environment } from '#lib/shared/routes.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import { aheadText, useLabState, useSandboxNow } from './sandbox-state.tsx'
import { LabProblemText, useLabAction } from './use-lab.tsx'
import { useSandbox } from './use-sandbox.ts'

type WorkItem = ReadResult<'readLabDetails'>['due']['work'][number]

const units = [
  { value: 'M', label: 'minutes' },
  { value: 'H', label: 'hours' },
  { value: 'D', label: 'days' },
]

/** `90`, `M` → `PT90M`: an ISO 8601 duration; null where the amount is no whole number above 0. */
export function toIsoDuration(amount: string, unit: string): string | null {
  if (!/^0*[1-9]\d*$/.test(amount.trim())) return null
  return unit === 'D' ? `P${amount.trim()}D` : `PT${amount.trim()}${unit}`
}

/** The duration from one instant to another, at least a second: `PT86400S`. */
export function durationUntil(dueAt: string, nowMs: number): string {
  return `PT${Math.max(1, Math.ceil((Date.parse(dueAt) - nowMs) / secondMs))}S`
}

const notWhole = { fields: {}, message: 'Enter a whole number above 0.', requestId: null }

/** The sandbox clock, the controls that move it, and the work that is due and done. */
export function ClockPanel({ details }: { details: ReadResult<'readLabDetails'> }) {
  const { data: state } = useLabState()
  const sandboxNow = useSandboxNow()
  const { perform, isPending, problem, result } = useLabAction()
  const [amount, setAmount] = useState('')
  const [unit, setUnit] = useState('H')
  const [isWrong, setIsWrong] = useState(false)
  const aheadMs = state?.aheadMs ?? 0
  const [next] = details.due.work
  const advance = (duration: string | null) => {
    setIsWrong(duration === null)
    if (duration !== null) perform('advance', { advance: duration })
  }
  return (
    <Panel title="Sandbox clock" className="@container">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="text-lg font-semibold tabular-nums">
          <ClockNow />
        </span>
        <span className="text-soft">
          {Math.abs(aheadMs) <= minuteMs ? 'Same as real time' : `${aheadText(aheadMs)} from real time`}
          {state?.isFrozen && ', stopped'}
        </span>
      </p>
      <div className="mt-3 flex flex-wrap items-end gap-2">
        <Button isPending={isPending} onClick={() => advance('PT1H')}>
          +1 hour
        </Button>
        <Button isPending={isPending} onClick={() => advance('PT24H')}>
          +24 hours
        </Button>
        <Button
          isPending={isPending}
          unavailable={next ? undefined : 'Nothing is due.'}
          reason="described"
          onClick={() => next && sandboxNow && advance(durationUntil(next.dueAt, sandboxNow(Date.now())))}
        >
          To next due work
        </Button>
        <form
          className="flex flex-wrap items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            advance(toIsoDuration(amount, unit))
          }}
        >
          <TextField
            label="Advance by"
            isLabelHidden
            placeholder="Advance by"
            inputMode="numeric"
            className="w-28"
            inputClassName="h-8"
            value={amount}
            onChange={(event) => setAmount(event.target.value)}
          />
          <SelectField
            label="Unit"
            isLabelHidden
            className="w-28"
            options={units}
            value={unit}
            onChange={(event) => setUnit(event.target.value)}
          />
          <Button type="submit" isPending={isPending}>
            Advance
          </Button>
        </form>
      </div>
      <LabProblemText problem={isWrong ? notWhole : problem} />
      <output className="text-soft empty:hidden">
        {!isPending && !isWrong && result?.performed !== null && result?.performed !== undefined && (
          <span className="mt-2 block">Clock moved. {formatCount(result.performed, 'thing')} happened.</span>
        )}
      </output>
      <div className="mt-4 grid gap-x-8 gap-y-4 border-t pt-3 @2xl:grid-cols-2">
        <WorkList title="Next" shown="next" empty="Nothing is due." {...details.due} />
        <WorkList title="Done" shown="newest" empty="Nothing has happened yet." {...details.performed} />
      </div>
    </Panel>
  )
}

function ClockNow() {
  const { data: state } = useLabState()
  const sandboxNow = useSandboxNow()
  const zone = usePageZone()
  const ticking = useTicking((nowMs) => (sandboxNow ? (formatTime(sandboxNow(nowMs), zone, 'exact') ?? '') : ''))
  const text = ticking ?? (state ? formatTime(state.now, zone, 'exact') : '')
  return (
    <>
      {text} {zone.label}
    </>
  )
}

const kinds: Record<string, string> = {
  'capture-transaction': 'Capture transaction',
  'produce-card': 'Produce card',
  'advance-payout': 'Advance payout',
  'retry-delivery': 'Retry webhook delivery',
  'ping-webhook': 'Ping webhook',
}

function workItemHref(environment: Environment, item: WorkItem): string | null {
  const { cardAccountId, cardId, transactionId, payoutId, webhookId } = item
  if (payoutId) return routes.payout(environment, payoutId)
  if (webhookId) return `${routes.webhooks(environment)}#webhook-${webhookId}`
  if (cardAccountId && transactionId) return routes.transaction(environment, cardAccountId, transactionId)
  return cardAccountId && cardId ? routes.card(environment, cardAccountId, cardId) : null
}

function WorkList({
  title,
  shown,
  work,
  hasMore,
  empty,
}: {
  title: string
  /** Which part of a long list is shown. */
  shown: 'next' | 'newest'
  work: readonly WorkItem[]
  hasMore: boolean
  empty: string
}) {
  const environment = useEnvironment()
  const { sandbox } = useSandbox()
  return (
    <div className="min-w-0">
      <h3 className="font-medium">{title}</h3>
      {work.length === 0 ? (
        <p className="mt-1 text-soft">{empty}</p>
      ) : (
        <ol className="mt-1 divide-y">
          {work.map((item, index) => {
            // The console's pages are of the shared sandbox.
            const href = sandbox === null ? workItemHref(environment, item) : null
            const label = kinds[item.kind] ?? item.kind
            const id = item.payoutId ?? item.webhookId ?? item.transactionId ?? item.cardId
            return (
              <li key={index} className="flex flex-wrap items-baseline justify-between gap-x-3 py-1.5">
                <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
                  {href ? <TextLink href={href}>{label}</TextLink> : label}
                  {id && <IdText id={id} isCopyable={href === null} />}
                </span>
                <span className="text-soft tabular-nums">
                  <Time instant={item.dueAt} />
                  {shown === 'next' && <DueIn dueAt={item.dueAt} />}
                </span>
              </li>
            )
          })}
          {hasMore && (
            <li className="py-1.5 text-soft">
              The {shown} {work.length} are shown.
            </li>
          )}
        </ol>
      )}
    </div>
  )
}

function DueIn({ dueAt }: { dueAt: string }) {
  const sandboxNow = useSandboxNow()
  const text = useTicking((nowMs) => (sandboxNow ? durationText(Date.parse(dueAt) - sandboxNow(nowMs)) : ''))
  return text === null || text === '' ? null : <span className="text-faint"> · in {text}</span>
}

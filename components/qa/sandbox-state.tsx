'use client'

import { CalendarClock, CircleDot } from 'lucide-react'
import { sandboxNowMs } from '#components/environment/server-now.ts'
import { useEnvironment, useRead } from '#components/environment/use-environment.ts'
import { usePermissions } from '#components/environment/use-permissions.ts'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { formatCount } from '#components/ui/count.ts'
import { Link } from '#components/ui/link.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { durationText, formatTime } from '#components/ui/time-format.ts'
import { useTicking } from '#components/ui/time.tsx'
import { modeValues } from '#lib/contract/sandbox.ts'
import { routes } from '#lib/shared/routes.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'
import { useLabAction } from './use-lab.tsx'
import { sandboxName, useSandbox } from './use-sandbox.ts'

/** The state of the sandbox that the page is about: on every page but the lab's the shared one. */
export function useLabState() {
  const { searches } = useSandbox()
  return useRead('readLabState', ...searches)
}

/** `+1 d 2 h` ahead of real time, `−3 h 0 min` behind it: to the second, as it was read some milliseconds apart. */
export function aheadText(aheadMs: number): string {
  return `${aheadMs < 0 ? '−' : '+'}${durationText(Math.round(Math.abs(aheadMs) / secondMs) * secondMs)}`
}

/** The sandbox clock, in milliseconds, by the browser's; null before it was read. */
export function useSandboxNow(): ((nowMs: number) => number) | null {
  const { data, dataUpdatedAt } = useLabState()
  return data ? (nowMs) => sandboxNowMs(data, dataUpdatedAt, nowMs) : null
}

const markStyle =
  'inline-flex h-6 items-center gap-1.5 rounded-chip bg-warn-wash px-2 text-xs font-medium whitespace-nowrap text-warn [&_svg]:size-3.5'

/** In the top bar of every page while the person's actions are recorded, which goes on while they use the console. */
export function RecordingMark() {
  const environment = useEnvironment()
  const { data } = useLabState()
  if (!data?.isRecording) return null
  const title = 'What you do in the sandbox is recorded as a scenario. Open the scenarios to stop.'
  return (
    <Link href={routes.scenarios(environment)} title={title} className={markStyle}>
      <CircleDot aria-hidden="true" />
      <span className="max-md:sr-only">Recording</span>
    </Link>
  )
}

/** The sandbox clock in the top bar of every page, while it differs from real time by more than a minute. */
export function SandboxClock() {
  const environment = useEnvironment()
  const { sandbox, search } = useSandbox()
  const { data } = useLabState()
  const zone = usePageZone()
  const { may } = usePermissions()
  const aheadMs = data?.aheadMs ?? 0
  const sandboxNow = useSandboxNow()
  const ticking = useTicking((nowMs) => (sandboxNow ? (formatTime(sandboxNow(nowMs), zone, 'date-time') ?? '') : ''))
  if (!data || Math.abs(aheadMs) <= minuteMs) return null
  const time = ticking ?? formatTime(data.now, zone, 'date-time')
  const of = sandbox === null ? 'sandbox clock' : `clock of ${sandboxName(sandbox).toLowerCase()}`
  const stopped = data.isFrozen ? ' It is stopped.' : ''
  const title = `The ${of} shows ${time} ${zone.label}, ${aheadText(aheadMs)} from real time.${stopped}`
  const content = (
    <>
      <CalendarClock aria-hidden="true" />
      <span className="sr-only">{title}</span>
      <span aria-hidden="true" className="tabular-nums max-md:hidden">
        {time}
      </span>
      <span aria-hidden="true" className="tabular-nums max-sm:hidden md:hidden">
        {aheadText(aheadMs).replace(/ \d+ \w+$/, '')}
      </span>
    </>
  )
  if (!may.has('sandbox.simulate')) {
    return (
      <span title={title} data-sandbox-clock className={markStyle}>
        {content}
      </span>
    )
  }
  return (
    <Link href={routes.lab(environment, search)} title={title} data-sandbox-clock className={markStyle}>
      {content}
    </Link>
  )
}

/** The names of the modes that differ from their defaults. */
export function changedModes(modes: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(modeValues).flatMap(([name, [usual]]) => (modes[name] === usual ? [] : [name]))
}

/** A notice on every page while faults or modes are on. */
export function SandboxStrip() {
  const environment = useEnvironment()
  const { sandbox, search } = useSandbox()
  const { data } = useLabState()
  const { may } = usePermissions()
  const faults = useLabAction()
  const modes = useLabAction()
  const changed = changedModes(data?.modes ?? {})
  if (!data || (data.faults.length === 0 && changed.length === 0)) return null
  const problem = faults.problem ?? modes.problem
  const on = [
    ...(data.faults.length > 0 ? [formatCount(data.faults.length, 'fault')] : []),
    ...(changed.length > 0 ? [formatCount(changed.length, 'mode')] : []),
  ]
  const remove = () => {
    if (data.faults.length > 0) faults.perform('remove-fault', {})
    if (changed.length > 0) modes.perform('reset-modes', {})
  }
  return (
    <Callout
      tone="warn"
      title={`${sandbox === null ? 'Sandbox' : sandboxName(sandbox)}: ${on.join(', ')} on.`}
      actions={
        may.has('sandbox.simulate') && (
          <>
            <TextLink href={`${routes.lab(environment, search)}#faults`}>Show</TextLink>
            <Button size="small" isPending={faults.isPending || modes.isPending} onClick={remove}>
              Remove all
            </Button>
          </>
        )
      }
    >
      {problem?.message ?? 'Some requests fail or differ on purpose.'}
    </Callout>
  )
}

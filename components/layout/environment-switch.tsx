'use client'

import { clsx } from 'clsx'
import { ChevronsUpDown } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { Menu } from '#components/ui/menu.tsx'
import type { Environment } from '#lib/shared/routes.ts'
import { leaveBy } from './leave-warning.tsx'
import type { EnvironmentEntry } from './side-bar.tsx'

const terms: Record<Environment, string> = { sandbox: 'Sandbox', production: 'Production' }

/** The band across the window: amber stripes for the sandbox; solid, with a label, for production. */
export function EnvironmentBand({ environment }: { environment: Environment }) {
  if (environment === 'sandbox')
    return <div aria-hidden="true" className="fixed inset-x-0 top-0 z-40 h-(--band-height) sandbox-hatch" />
  return (
    <section
      aria-label="Environment"
      className="fixed inset-x-0 top-0 z-40 flex h-(--band-height) items-center justify-center bg-production text-2xs font-semibold tracking-widest text-on-production uppercase"
    >
      Production: real cards, real money
    </section>
  )
}

export function EnvironmentSwitch({
  environment,
  entries,
}: {
  environment: Environment
  entries: readonly EnvironmentEntry[]
}) {
  const router = useRouter()
  return (
    <Menu
      label="Environment"
      align="start"
      triggerClassName={clsx('mt-3 w-full', environment === 'production' && 'border-production!')}
      trigger={
        <>
          <Mark environment={environment} />
          <span className="sr-only">Environment: </span>
          <span className="flex-1 text-left">{terms[environment]}</span>
          <ChevronsUpDown aria-hidden="true" className="text-faint" />
        </>
      }
      items={entries.map((entry) => ({
        kind: 'choice',
        label: terms[entry.environment],
        icon: <Mark environment={entry.environment} />,
        hint: entry.note,
        isChosen: entry.environment === environment,
        onSelect: () => leaveBy(() => router.push(entry.href)),
      }))}
    />
  )
}

function Mark({ environment }: { environment: Environment }) {
  return (
    <span
      aria-hidden="true"
      className={clsx(
        'size-2.5 shrink-0',
        environment === 'sandbox' ? 'rounded-full bg-sandbox' : 'rounded-[3px] bg-production',
      )}
    />
  )
}

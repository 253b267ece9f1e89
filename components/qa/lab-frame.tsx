'use client'

import { clsx } from 'clsx'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { useEnvironment, useLab } from '#components/environment/use-environment.ts'
import { Link } from '#components/ui/link.tsx'
import { Page } from '#components/ui/page.tsx'
import { routes } from '#lib/shared/routes.ts'
import { InSandbox, SandboxBar } from './sandbox-bar.tsx'
import { useSandbox } from './use-sandbox.ts'

const allTabs = [
  { label: 'Sandbox', at: routes.lab },
  { label: 'Scenarios', at: routes.scenarios, isBuiltIn: true },
  { label: 'API explorer', at: routes.explorer },
]

/** The frame of every page of the QA lab: its title, its tabs, and the sandbox that it acts on. `actions` belong to the page. */
export function LabFrame({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  const environment = useEnvironment()
  const lab = useLab()
  const tabs = allTabs.filter(({ isBuiltIn }) => lab === 'built-in' || !isBuiltIn)
  const pathname = usePathname()
  const { search } = useSandbox()
  const current = tabs.findLast(({ at }) => pathname === at(environment) || pathname.startsWith(`${at(environment)}/`))
  const below =
    current && current !== tabs[0]
      ? { label: current.label, above: [{ label: 'QA lab', href: routes.lab(environment, search) }] }
      : {}
  return (
    <Page title="QA lab" {...below} actions={actions}>
      <nav aria-label="QA lab" className="scroll-hint -mt-2 border-b">
        <ul className="flex gap-5">
          {tabs.map((tab) => (
            <li key={tab.label}>
              <Link
                href={tab.at(environment, search)}
                aria-current={tab === current ? 'page' : undefined}
                className={clsx(
                  '-mb-px block border-b-2 py-2 whitespace-nowrap transition-colors',
                  tab === current ? 'border-accent font-medium' : 'border-transparent text-soft hover:text-ink',
                )}
              >
                {tab.label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {lab === 'built-in' ? (
        <>
          <SandboxBar />
          <InSandbox>{children}</InSandbox>
        </>
      ) : (
        children
      )}
    </Page>
  )
}

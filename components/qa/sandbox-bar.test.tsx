import { QueryClientProvider } from '@tanstack/react-query'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { PathnameContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EnvironmentProvider, LabProvider } from '#components/environment/use-environment.ts'
import { noResult } from '#lib/qa/lab/types.ts'
import { createQueryClient, readKey } from '#lib/queries/reads.ts'
import { LabFrame } from './lab-frame.tsx'
import { ScenariosScreen } from './scenarios/scenarios-screen.tsx'
import { SimulatorForm } from './simulator-form.tsx'
import { simulators } from './simulators.ts'
import { forgetSandboxes } from './use-sandbox.ts'

const id = '5d0c7e1f9a3b2c48'
const own = {
  id,
  from: 'seed',
  createdAt: '2026-11-24T03:00:00.000Z',
  expiresAt: '2026-11-24T04:00:00.000Z',
  baseUrl: `http://127.0.0.1:3000/service/sandboxes/${id}/v1`,
  controlUrl: `http://127.0.0.1:3000/service/sandboxes/${id}/control`,
  accessKey: '0c1d8a52-0f3e-4c67-9a57-3d3c7a1be6f4',
}

function createLabClient() {
  const client = createQueryClient()
  client.setQueryData(readKey('listSandboxes', 'sandbox'), { sandboxes: [own], snapshots: [] })
  return client
}

function htmlOf(search: string, panels: ReactNode = 'the panels', client = createLabClient()): string {
  return renderToString(
    <AppRouterContext value={{} as never}>
      <PathnameContext value="/sandbox/lab">
        <EnvironmentProvider value="sandbox">
          <LabProvider value="built-in">
            <QueryClientProvider client={client}>
              <NuqsTestingAdapter searchParams={search}>
                <LabFrame>{panels}</LabFrame>
              </NuqsTestingAdapter>
            </QueryClientProvider>
          </LabProvider>
        </EnvironmentProvider>
      </PathnameContext>
    </AppRouterContext>,
  )
}

test('the lab names the sandbox that it acts on, with the address and the key of one of its own', () => {
  const shared = htmlOf('')
  expect(shared).toContain('data-sandbox="shared"')
  expect(shared).toContain('the panels')
  expect(shared).not.toContain(own.accessKey)
  const html = htmlOf(`?sandbox=${id}`)
  expect(html).toContain(`data-sandbox="${id}"`)
  expect(html.replaceAll(/<wbr\/?>|<!-- -->/g, '')).toContain(own.baseUrl)
  expect(html.replaceAll(/<wbr\/?>|<!-- -->/g, '')).toContain(own.controlUrl)
  expect(html.replaceAll(/<wbr\/?>|<!-- -->/g, '')).toContain(own.accessKey)
  expect(html).toContain(`/sandbox/lab/scenarios?sandbox=${id}`)
  expect(html).toContain('the panels')
})

test('Record says that a sandbox of its own is not recorded', () => {
  const reason = 'Only the shared sandbox is recorded.'
  expect(htmlOf('', <ScenariosScreen />)).not.toContain(reason)
  const html = htmlOf(`?sandbox=${id}`, <ScenariosScreen />)
  expect(html).toContain(reason)
  expect(html).toMatch(/<button[^>]*aria-disabled="true"[^>]*>(?:<svg.*?<\/svg>)?Record/)
})

test('one that has ended shows nothing of the lab, but the way back', () => {
  const html = htmlOf('?sandbox=0123456789abcdef')
  expect(html).toContain('Sandbox 012345 has ended')
  expect(html).toContain('Use the shared sandbox')
  expect(html).not.toContain('the panels')
})

test('one that was just made has not ended', () => {
  const client = createLabClient()
  forgetSandboxes(client, 'sandbox')
  const html = htmlOf('?sandbox=0123456789abcdef', 'the panels', client)
  expect(html).toContain('the panels')
  expect(html).not.toContain('ended')
})

test('a simulated transaction has a page in the shared sandbox alone; a decline says why in both', () => {
  const declined = { id: 'b7', cardAccountId: 'a1', status: 'declined', reason: 'The card is locked' }
  const lab = {
    perform: () => undefined,
    isPending: false,
    problem: null,
    result: { ...noResult, transaction: declined },
    clear: () => undefined,
  }
  const form = <SimulatorForm simulator={simulators.charge} lab={lab} />
  const link = '/card-accounts/a1/transactions/b7'
  for (const [search, hasLink] of [
    ['', true],
    [`?sandbox=${id}`, false],
  ] as const) {
    const html = htmlOf(search, form)
    expect(html).toContain('Declined.')
    expect(html).toContain('The card is locked')
    expect(html.includes(link)).toBe(hasLink)
  }
})

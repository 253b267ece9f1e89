import type { Page } from '@playwright/test'
import { endpointRow } from '#lib/contract/endpoints.ts'
import { dialog } from './card-screen.ts'
import { expect, test } from './fixtures.ts'
import { isFull } from './full-run.ts'
import { actionRows, type ActionRow } from './nonconforming-actions.ts'
import { actionKinds, reported, type ActionKind, type Fault } from './nonconforming-responses.ts'
import type { ServiceCaller } from './service-caller.ts'

/* Every action with one kind of response; npm run e2e:full -- nonconforming-service tries every kind. */

test.describe.configure({ mode: 'parallel' })

test.beforeEach(async ({ service }) => {
  await service.control.reset()
})

test.afterEach(async ({ service }) => {
  await service.control.disarmFaults()
})

type Ending = 'done' | 'refused' | 'unknown' | 'partial' | 'nothing'

/** What the page says of the action. */
async function endingOn(page: Page, done: ActionRow['done']): Promise<Ending> {
  const shown = {
    done: done(page),
    unknown: dialog(page).getByText(/^(Not confirmed yet|In progress)/),
    partial: dialog(page).getByText(/^Partly done/),
    refused: page.getByRole('alert').filter({ hasText: 'Nothing was changed.' }),
  }
  const [first, ...others] = Object.values(shown)
  if (!first) return 'nothing'
  const any = others.reduce((all, one) => all.or(one), first)
  await expect(any.first()).toBeVisible({ timeout: 45_000 })
  for (const [ending, locator] of Object.entries(shown)) if (await locator.first().isVisible()) return ending as Ending
  return 'nothing'
}

/** What is wrong with what the page says; null where nothing is. */
function problemOf(ending: Ending, isInEffect: boolean | null, { looksDone }: ActionKind): string | null {
  // Nothing shows a PIN: the response alone can.
  if (isInEffect === null) return ending === 'refused' && looksDone ? 'refused' : null
  if (ending === 'done') return isInEffect ? null : 'done, without effect'
  if (ending === 'refused') return isInEffect ? 'refused, with an effect' : null
  if (ending === 'unknown') return isInEffect ? 'not confirmed, with an effect' : null
  return ending
}

/** Takes the action while its endpoint responds like this, and compares what the page says with the service. */
async function attempt(
  page: Page,
  service: ServiceCaller,
  { endpoint, prepare, done }: ActionRow,
  kind: ActionKind,
  fault: Fault,
): Promise<string | null> {
  const ready = await prepare(page, service)
  const { path, method } = endpointRow(endpoint)
  const armed = await service.control.armFault({ path, method, times: 'always', ...fault })
  expect(armed.status, JSON.stringify(armed.body)).toBe(200)
  try {
    await ready.confirm()
    const ending = await endingOn(page, done)
    const text = await page.locator('body').innerText()
    const leak = /\bNaN\b|\bundefined\b|(?<!\(|returned )\bnull\b|Invalid Date|\[object Object\]/.exec(text)?.[0]
    return leak ? `the page shows ${leak}` : problemOf(ending, await ready.isInEffect(), kind)
  } finally {
    await service.control.disarmFaults()
  }
}

/** The client repeats a request twice, and an operation that is not confirmed is sent again once; a test prepares its record. */
const requestsPerAttempt = 6

/** Each kind of response that the action's endpoint can have; in the short form one, another one for each action. */
function kindsFor({ endpoint }: ActionRow, position: number): { kind: ActionKind; fault: Fault }[] {
  const all = actionKinds.flatMap((kind) => {
    const fault = kind.fault(endpoint)
    return fault ? [{ kind, fault }] : []
  })
  return isFull ? all : all.slice(position % all.length).slice(0, 1)
}

for (const [title, rows] of isFull
  ? actionRows.map((row) => [row.kind, [row]] as const)
  : [['every action', actionRows] as const]) {
  test(`${title}: is never done or refused without being so`, async ({ page, service, signIn, expectProblem }) => {
    test.setTimeout(600_000)
    page.setDefaultTimeout(30_000)
    expectProblem(/^50[23]: .*\/api\//)
    expectProblem(/^console error: Failed to load resource/)
    await signIn('operations')
    const problems: string[] = []
    const since = Date.now()
    for (const [position, row] of rows.entries()) {
      for (const { kind, fault } of kindsFor(row, position)) {
        await test.step(`${row.kind}, ${kind.title}`, async () => {
          const problem = await attempt(page, service, row, kind, fault).catch(String)
          if (problem) problems.push(reported(`${row.kind}, ${kind.title}: ${problem}`))
        })
      }
    }
    expect(problems.join('\n')).toBe('')
    const [row] = rows
    if (!isFull || !row) return
    const { path, method } = endpointRow(row.endpoint)
    const requests = await service.control.countRequests(path, since, method)
    expect(requests, 'requests of all attempts').toBeLessThanOrEqual(actionKinds.length * requestsPerAttempt)
  })
}

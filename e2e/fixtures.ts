import { readFileSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'
import { checkEveryLook } from './every-look.ts'
import { serverOfWorker } from './server-of-worker.ts'
import type { ServiceAccess } from './server.ts'
import { createServiceCaller, type ServiceCaller } from './service-caller.ts'
import { type DemoPerson, signInByCookie } from './sign-in-by-cookie.ts'

type Fixtures = {
  /** Signs in as one of the demo staff, by cookie. */
  signIn: (person: DemoPerson) => Promise<void>
  /** Lets this test go on where a page reports what the pattern matches; any other problem fails it. */
  expectProblem: (pattern: RegExp) => void
  /** axe finds nothing on the page as it is now. */
  expectAccessible: () => Promise<void>
  /** The same in both themes and at three widths, and nothing scrolls sideways. */
  expectAccessibleInEveryLook: () => Promise<void>
}

type WorkerFixtures = {
  access: ServiceAccess
  service: ServiceCaller
}

export const test = base.extend<Fixtures & { problems: Problems; freshRecords: void }, WorkerFixtures>({
  access: [
    async ({}, use) => {
      const server = serverOfWorker()
      if (!server) throw new Error('The browser tests are started by npm run e2e, which starts their servers.')
      await use(JSON.parse(readFileSync(server.accessFile, 'utf8')) as ServiceAccess)
    },
    { scope: 'worker' },
  ],
  service: [async ({ access }, use) => use(createServiceCaller(access)), { scope: 'worker' }],
  // What a failed attempt left half done would fail the next one, too.
  freshRecords: [
    async ({ service }, use, { retry }) => {
      if (retry > 0) await service.control.reset()
      await use()
    },
    { auto: true },
  ],
  problems: async ({}, use) => {
    const problems: Problems = { problems: [], expected: [] }
    await use(problems)
    const unexpected = problems.problems.filter(
      (problem) => !problems.expected.some((pattern) => pattern.test(problem)),
    )
    expect(unexpected, 'the pages report no problem').toEqual([])
  },
  page: async ({ page, problems }, use) => {
    await watch(page, problems.problems)
    const { goto, reload } = page
    page.goto = async (...args) => hydrated(page, await goto.apply(page, args))
    page.reload = async (...args) => hydrated(page, await reload.apply(page, args))
    await use(page)
  },
  expectProblem: async ({ problems }, use) => use((pattern) => void problems.expected.push(pattern)),
  signIn: async ({ page }, use) =>
    use(async (person) => {
      // A page that is still open would go on with what the person before could read, and be refused.
      await page.goto('about:blank')
      await signInByCookie(page, person)
    }),
  expectAccessible: async ({ page }, use) =>
    use(async () => {
      await showRows(page, 'the first eight of a table')
      // Where a page is scrolled, its header covers a part of some button, which axe then finds too small.
      await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
      const builder = new AxeBuilder({ page })
      // What is behind a dialog is out of reach, and looked at where no dialog is open.
      const isDialogOpen = (await page.locator(openDialog).count()) > 0
      const { violations } = await (isDialogOpen ? builder.include(openDialog) : builder)
        // For everything that passes, axe would make a selector and a text as well.
        .options({ resultTypes: ['violations'] })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'])
        // The other mode opens a page of its own each time, for frames of other origins; there are none.
        .setLegacyMode(true)
        .analyze()
      await showRows(page, 'all')
      expect(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map((node) => node.html) }))).toEqual([])
    }),
  expectAccessibleInEveryLook: async ({ page, expectAccessible }, use) =>
    use(() => checkEveryLook(page, async ({ isExamined }) => void (isExamined && (await expectAccessible())))),
})

export { expect }

/** Until the page hears of changes as they happen. An endpoint that an earlier test broke says nothing about that. */
export async function expectLive(page: Page): Promise<void> {
  await expect(page.locator('output[data-live="live"]')).toBeAttached()
}

const openDialog = '[role="dialog"][data-open], [role="alertdialog"][data-open]'

type Problems = { problems: string[]; expected: RegExp[] }

/** The rows of a long table are alike, and axe compares every element that is shown with every other. */
async function showRows(page: Page, shown: 'all' | 'the first eight of a table'): Promise<void> {
  await page.evaluate((isAll) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('tbody tr:nth-child(n + 9) { display: none }')
    document.adoptedStyleSheets = isAll ? [] : [sheet]
  }, shown === 'all')
}

/** A press has no effect before React listens to the button. A page whose buttons it never takes over is given a few seconds. */
async function hydrated<Value>(page: Page, response: Value): Promise<Value> {
  const listens = () =>
    [...document.querySelectorAll('button')].every((button) =>
      Object.keys(button).some((key) => key.startsWith('__reactProps')),
    )
  await page.waitForFunction(listens, undefined, { timeout: 5000 }).catch(() => undefined)
  return response
}

/** Everything that a page must not do: errors on the console, violations of the policy, responses of 500 and above. */
async function watch(page: Page, problems: string[]): Promise<void> {
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console error: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`))
  page.on('response', (response) => {
    if (response.status() >= 500) problems.push(`${response.status()}: ${response.url()}`)
  })
  await page.exposeFunction('reportPolicyViolation', (text: string) => problems.push(`policy violation: ${text}`))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const report = Reflect.get(window, 'reportPolicyViolation') as (text: string) => void
      report(`${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile ?? ''}`)
    })
  })
}

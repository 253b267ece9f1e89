import { chromium, type Browser } from 'playwright'
import { findChromium } from '../browser.ts'
import { startServer, type StartedServer } from '../server.ts'

/** How much of a part runs: the whole for figures, or each of its steps once, as the suites do so that none breaks unseen. */
export type Extent = 'whole' | 'short'

/** What the parts of a bench measure with. Server and browser are started when the first part needs them. */
export type Desk = {
  extent: Extent
  /** How many card accounts the part `scale` measures, instead of its own number. */
  accounts: number | undefined
  /** One without a rate limit. */
  server: () => Promise<StartedServer>
  browser: () => Promise<Browser>
  close: () => Promise<void>
}

export function openDesk(extent: Extent, accounts?: number): Desk {
  let server: Promise<StartedServer> | undefined
  let browser: Promise<Browser> | undefined
  return {
    extent,
    accounts,
    server: () => (server ??= startServer({ settings: { SANDBOX_RATE_LIMIT_PER_MINUTE: '0' } })),
    browser: () => (browser ??= launchBrowser()),
    close: async () => {
      await (await browser)?.close()
      await (await server)?.stop()
    },
  }
}

function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(console.log),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
}

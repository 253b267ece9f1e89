import { chromium, type Browser } from 'playwright'
import { findChromium } from '../browser.ts'
import { startServer, type StartedServer } from '../server.ts'

/** A server without a rate limit, and a browser, for the duration of the measurement. */
export async function withDesk<Value>(
  measure: (server: StartedServer, browser: Browser) => Promise<Value>,
): Promise<Value> {
  const server = await startServer({ settings: { SANDBOX_RATE_LIMIT_PER_MINUTE: '0' } })
  try {
    const browser = await chromium.launch({
      executablePath: findChromium(console.log),
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    })
    try {
      return await measure(server, browser)
    } finally {
      await browser.close()
    }
  } finally {
    await server.stop()
  }
}

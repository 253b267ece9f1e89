import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { findChromium } from './browser.ts'
import { startServer } from './server.ts'

const resultsFolder = path.join(import.meta.dirname, '..', 'test-results')

/** `npm run e2e -- [what Playwright's test command accepts]`: on the production build, with a database of its own. */
async function run(): Promise<number> {
  const executable = findChromium(console.log)
  console.log(`Browser   ${executable}`)
  const server = await startServer({ settings: { SANDBOX_RATE_LIMIT_PER_MINUTE: '0' } })
  try {
    const playwright = path.join(import.meta.dirname, '..', 'node_modules', '@playwright', 'test', 'cli.js')
    const config = path.join(import.meta.dirname, 'playwright.config.ts')
    const child = spawn(process.execPath, [playwright, 'test', '--config', config, ...process.argv.slice(2)], {
      stdio: 'inherit',
      env: {
        ...process.env,
        CHROMIUM_PATH: executable,
        E2E_URL: server.url,
        E2E_ACCESS_FILE: path.join(server.dataDir, 'service-access.json'),
      },
    })
    const [code] = (await once(child, 'close')) as [number | null]
    return code ?? 1
  } finally {
    const code = await server.stop()
    mkdirSync(resultsFolder, { recursive: true })
    writeFileSync(path.join(resultsFolder, 'server.log'), server.output())
    if (code !== 0) {
      console.error(`The server ended with code ${code}; its log is test-results/server.log.`)
      process.exitCode = 1
    }
  }
}

// A Ctrl C reaches Playwright and the server too: they end by themselves, and so do we after them.
process.on('SIGINT', () => undefined)

try {
  const code = await run()
  process.exitCode ||= code
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

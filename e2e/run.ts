import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { findChromium } from './browser.ts'
import type { RunServer } from './server-of-worker.ts'
import { startServer, type StartedServer } from './server.ts'

const resultsFolder = path.join(import.meta.dirname, '..', 'test-results')

/** On more cores they would only wait for the database. */
const workers = Math.min(2, availableParallelism())

/** `npm run e2e -- [what Playwright's test command accepts]`: on the production build, each worker with a server and database of its own. */
async function run(): Promise<number> {
  const executable = findChromium(console.log, 'chromium-headless-shell')
  console.log(`Browser   ${executable}`)
  const servers: StartedServer[] = []
  try {
    while (servers.length < workers) {
      servers.push(await startServer({ settings: { SANDBOX_RATE_LIMIT_PER_MINUTE: '0' } }))
    }
    const playwright = path.join(import.meta.dirname, '..', 'node_modules', '@playwright', 'test', 'cli.js')
    const config = path.join(import.meta.dirname, 'playwright.config.ts')
    const runServers: RunServer[] = servers.map(({ url, dataDir }) => ({
      url,
      accessFile: path.join(dataDir, 'service-access.json'),
    }))
    const child = spawn(process.execPath, [playwright, 'test', '--config', config, ...process.argv.slice(2)], {
      stdio: 'inherit',
      env: { ...process.env, CHROMIUM_PATH: executable, E2E_SERVERS: JSON.stringify(runServers) },
    })
    // A pipeline that is cancelled sends this to us alone: Playwright ends as by Ctrl C, and the servers after it.
    process.once('SIGTERM', () => child.kill('SIGINT'))
    const [code] = (await once(child, 'close')) as [number | null]
    return code ?? 1
  } finally {
    for (const [index, server] of servers.entries()) await end(server, `server-${index}.log`)
  }
}

async function end(server: StartedServer, logName: string): Promise<void> {
  const code = await server.stop()
  mkdirSync(resultsFolder, { recursive: true })
  writeFileSync(path.join(resultsFolder, logName), server.output())
  if (code !== 0) {
    console.error(`A server ended with code ${code}; its log is test-results/${logName}.`)
    process.exitCode = 1
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

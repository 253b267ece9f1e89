import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { hourMs } from '#lib/shared/time.ts'
import { consoleSettings } from '../desk/settings.ts'
import { rateSamples } from '../desk/tables/rates.ts'
import { openConsole } from '../testing/open-console.ts'
import { rateReadingsDone, sampleRates } from './sample.ts'

test('three console processes that sample at the same moment send one request', { timeout: 120_000 }, async () => {
  const desk = await openConsole({ seeded: 1 })
  onTestFinished(rateReadingsDone)
  const { sealingKey, services, sessionSecret, consoleUrl } = consoleSettings()
  const others = [1, 2].map(() => {
    const child = spawn(
      process.execPath,
      [
        '--conditions=react-server',
        '--import',
        new URL('../testing/outside-next.ts', import.meta.url).href,
        fileURLToPath(new URL('../testing/rates-child.ts', import.meta.url)),
      ],
      {
        env: {
          ...process.env,
          DATABASE_URL: desk.databaseUrl,
          NEXTAUTH_URL: consoleUrl,
          NEXTAUTH_SECRET: sessionSecret,
          CONSOLE_SEALING_KEY: sealingKey.toString('base64'),
          SERVICE_SANDBOX_URL: services.sandbox?.baseUrl,
          SERVICE_SANDBOX_ACCESS_KEY: services.sandbox?.accessKey,
          SERVICE_SANDBOX_PRIVATE_KEY: services.sandbox?.privateKey,
        },
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    )
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
    return { child, exited: once(child, 'exit'), said: () => said }
  })
  const wait = { timeout: 90_000, interval: 20 }
  await vi.waitFor(() => expect(others.map(({ said }) => said())).toEqual(['ready\n', 'ready\n']), wait)
  for (const { child } of others) child.stdin.write('now\n')
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(['USD', 'HKD'].map((base) => sampleRates('sandbox', base, hourMs)))
  }
  await Promise.all(others.map(({ exited }) => exited))
  expect(others.map(({ said }) => said())).toEqual(['ready\nsampled\n', 'ready\nsampled\n'])
  expect(desk.requests.get('/rates')).toBe(2)
  expect(await desk.db.select().from(rateSamples)).toHaveLength(2)
})

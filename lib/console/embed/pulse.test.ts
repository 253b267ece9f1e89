import { expect, onTestFinished, test, vi } from 'vitest'
import { builtInControl, callControlPlane } from '#lib/environments/control-plane.ts'
import { openConsole } from '../testing/open-console.ts'
import { readPulse } from './pulse.ts'

test('a reset of the sandbox and an outage of the service each have another pulse', async () => {
  const desk = await openConsole({ seeded: 2 })
  vi.stubEnv('BUILT_IN_SERVICE', 'on')
  onTestFinished(() => void vi.unstubAllEnvs())
  // Each time as if two seconds had passed.
  let now = Date.now()
  const pulse = () => readPulse('sandbox', (now += 2000))
  await expect.poll(pulse).toMatch(/^up-\w+/)
  const before = await pulse()
  const control = builtInControl('sandbox')
  if (!control) throw new Error('the service is built in')
  await callControlPlane(control, { path: '/reset', method: 'POST', body: {}, timeoutMs: 30_000 })
  await expect.poll(pulse).not.toBe(before)
  expect(await pulse()).toMatch(/^up-/)
  await desk.stopService()
  await expect.poll(pulse, { timeout: 10_000, interval: 200 }).toMatch(/^down-/)
})

import { once } from 'node:events'
import { readConsoleSettings } from '#lib/settings/console-settings.ts'
import { hourMs } from '#lib/shared/time.ts'
import { readNewestSamples, sampleRates } from '../rates/sample.ts'
import { reportReady } from './report-ready.ts'

/** A console process of its own that samples rates at a word from the test, again and again, unless others did. */
const settings = readConsoleSettings(process.env)
if (!settings.ok) throw new Error(settings.error.join(' '))
await readNewestSamples('sandbox', 'USD')
reportReady()
await once(process.stdin, 'data')
for (let round = 0; round < 20; round += 1) {
  await Promise.all(['USD', 'HKD'].map((base) => sampleRates('sandbox', base, hourMs)))
}
process.stdout.write('sampled\n')
process.exit(0)

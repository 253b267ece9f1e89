import { parseArgs } from 'node:util'
import { shutDown } from '#lib/shared/lifecycle.ts'
import { launch } from './launch.ts'

/** `npm start`, and with `--dev` `npm run dev`. */
const { values } = parseArgs({ options: { dev: { type: 'boolean', default: false } } })

const limitMs = 30_000
let isStopping = false

async function end(code: number): Promise<void> {
  isStopping = true
  setTimeout(() => {
    console.error(`Not everything stopped within ${limitMs / 1000} s; ending.`)
    process.exit(1)
  }, limitMs).unref()
  const failures = await shutDown()
  for (const { name, error } of failures) console.error(`${name} did not stop cleanly:`, error)
  process.exit(failures.length > 0 ? 1 : code)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (isStopping) process.exit(1)
    console.log('\nStopping. Running requests may finish; a second Ctrl C ends at once.')
    void end(0)
  })
}

function endWith(message: string): void {
  if (isStopping) return
  console.error(message)
  void end(1)
}

launch({ isDev: values.dev, say: console.log, onLost: endWith }).catch((error: unknown) =>
  endWith(error instanceof Error ? error.message : String(error)),
)

import { parseArgs } from 'node:util'
import { shutDown } from '#lib/shared/lifecycle.ts'

/** `npm start`, with `--dev` `npm run dev`, and with `--sandbox` `npm run sandbox`. */
const { values } = parseArgs({
  options: { dev: { type: 'boolean', default: false }, sandbox: { type: 'boolean', default: false } },
})

const limitMs = 30_000
let isStopping = false

async function end(code: number): Promise<void> {
  isStopping = true
  setTimeout(() => {
    console.error(`Not everything stopped within ${limitMs / 1000} s; ending.`)
    endAtOnce()
  }, limitMs).unref()
  const failures = await shutDown()
  for (const { name, error } of failures) console.error(`${name} did not stop cleanly:`, error)
  process.exit(failures.length > 0 ? 1 : code)
}

/**
 * Ends by a kill, once the embedded database was told. While requests run, `process.exit` may wait for ever: for a thread that
 * compiles, and that waits for this one (nodejs/node#54918).
 */
function endAtOnce(): void {
  process.emit('exit', 1)
  process.kill(process.pid, 'SIGKILL')
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (isStopping) endAtOnce()
    console.log('\nStopping. Running requests may finish; a second Ctrl C ends at once.')
    void end(0)
  })
}

function endWith(message: string): void {
  if (isStopping) return
  console.error(message)
  void end(1)
}

// npm ends without its server where a shell or a pipeline kills it: what it started then has another parent.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid === parent || isStopping) return
    console.log('\nnpm has ended. Stopping.')
    void end(0)
  }, 500).unref()
}

const started = values.sandbox
  ? import('./launch-sandbox.ts').then(({ launchSandbox }) => launchSandbox({ say: console.log, onLost: endWith }))
  : import('./launch.ts').then(({ launch }) => launch({ isDev: values.dev, say: console.log, onLost: endWith }))
started.catch((error: unknown) => endWith(error instanceof Error ? error.message : String(error)))

import fc from 'fast-check'
import { inject, vi } from 'vitest'

/**
 * Test files share a process. Before each of them, what the product keeps in it is forgotten (everything under
 * `globalThis.carddesk…`), and the environment variables are those that the process began with.
 */
const stored = globalThis as typeof globalThis & {
  testEnvironment?: NodeJS.ProcessEnv
  usualWaitFor?: typeof vi.waitFor
} & Record<string, unknown>

for (const name of Object.keys(stored)) if (name.startsWith('carddesk')) delete stored[name]

stored.testEnvironment ??= { ...process.env }
for (const name of Object.keys(process.env)) if (!(name in stored.testEnvironment)) delete process.env[name]
Object.assign(process.env, stored.testEnvironment)

// What checks a change tries the same cases for everybody; `npm run suites:full` goes looking, and its failures name their seed.
if (inject('extent') <= 1) fc.configureGlobal({ seed: 20_261_122 })

// A machine that stalls is no defect: a wait ends once what it waits for is there, and a failure may take longer.
const longestWaitMs = 15_000
const usualWaitFor = (stored.usualWaitFor ??= vi.waitFor)
vi.waitFor = (callback, options = longestWaitMs) => usualWaitFor(callback, options)

import { flushCompileCache } from 'node:module'

/**
 * Prints a line of `ready` and these facts, which the test that started this process waits for. What was compiled is kept
 * for the next process first: a kill leaves no time for it.
 */
export function reportReady(...facts: readonly string[]): void {
  flushCompileCache()
  process.stdout.write(`${['ready', ...facts].join(' ')}\n`)
}

import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** How much of a long test this run does; 1 is what `npm run suites` does. */
    extent: number
  }
}

/** Of a count that `npm run suites` does in full: a twentieth of it in `npm run unit`, ten times it in `npm run suites:full`. */
export function cases(count: number): number {
  return Math.max(1, Math.round(count * inject('extent')))
}

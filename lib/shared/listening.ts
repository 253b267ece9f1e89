import { processWide } from './process-wide.ts'
type Listening = { promise: Promise<void>; resolve: () => void }

const listening = processWide<Listening>('carddeskListening', () => Promise.withResolvers<void>())

/** Fulfilled once the server listens: code that calls it from within the process waits for this. */
export function whenListening(): Promise<void> {
  return listening().promise
}

export function nowListening(): void {
  listening().resolve()
}

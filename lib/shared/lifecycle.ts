import { globalSingleton } from './global-singleton.ts'

type Listening = { promise: Promise<void>; resolve: () => void }

const listening = globalSingleton<Listening>('carddeskListening', () => Promise.withResolvers<void>())

/** Fulfilled once the server listens: code that calls it from within the process waits for this. */
export function whenListening(): Promise<void> {
  return listening().promise
}

export function nowListening(): void {
  listening().resolve()
}

type Step = { name: string; stop: () => Promise<void> | void }

const registered = globalSingleton<Step[]>('carddeskShutdown', () => [])

/** Has something stopped when the server stops: the last that was started stops first. */
export function atShutdown(name: string, stop: Step['stop']): void {
  registered().push({ name, stop })
}

/** Stops everything that registered. A step that fails does not keep the others from stopping; the failures are returned. */
export async function shutDown(): Promise<{ name: string; error: unknown }[]> {
  const failures: { name: string; error: unknown }[] = []
  const steps = registered()
  for (let step = steps.pop(); step; step = steps.pop()) {
    try {
      await step.stop()
    } catch (error) {
      failures.push({ name: step.name, error })
    }
  }
  return failures
}

type Step = { name: string; stop: () => Promise<void> | void }

const store = globalThis as typeof globalThis & { carddeskShutdown?: Step[] }

/** Has something stopped when the server stops: the last that was started stops first. One list a process, also where a bundler loads this module twice. */
export function atShutdown(name: string, stop: Step['stop']): void {
  ;(store.carddeskShutdown ??= []).push({ name, stop })
}

/** Stops everything that registered. A step that fails does not keep the others from stopping; the failures are returned. */
export async function shutDown(): Promise<{ name: string; error: unknown }[]> {
  const failures: { name: string; error: unknown }[] = []
  const steps = store.carddeskShutdown ?? []
  for (let step = steps.pop(); step; step = steps.pop()) {
    try {
      await step.stop()
    } catch (error) {
      failures.push({ name: step.name, error })
    }
  }
  return failures
}

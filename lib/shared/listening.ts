type Listening = { promise: Promise<void>; resolve: () => void }

const store = globalThis as typeof globalThis & { carddeskListening?: Listening }

/** One a process, also where a bundler loads this module twice. */
function listening(): Listening {
  return (store.carddeskListening ??= Promise.withResolvers<void>())
}

/** Fulfilled once the server listens: code that calls it from within the process waits for this. */
export function whenListening(): Promise<void> {
  return listening().promise
}

export function nowListening(): void {
  listening().resolve()
}

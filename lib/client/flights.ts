/** Work that equal callers share until it `departs`; it is aborted once all of them have left. */
type Flight = { result: Promise<unknown>; callers: number; controller: AbortController }

type Flights = {
  /**
   * The result of the work of this key that has not departed, or of a new one. `start` calls `depart` when whoever comes later
   * may no longer share. Throws what the work throws, and the signal's reason once that is aborted.
   */
  join: <Value>(
    key: string,
    signal: AbortSignal | undefined,
    start: (shared: AbortSignal, depart: () => void) => Promise<Value>,
  ) => Promise<Value>
}

export function createFlights(): Flights {
  const waiting = new Map<string, Flight>()

  function open<Value>(key: string, start: Parameters<typeof join<Value>>[2]): Flight {
    const controller = new AbortController()
    const depart = () => {
      if (waiting.get(key) === flight) waiting.delete(key)
    }
    const flight: Flight = { callers: 0, controller, result: Promise.resolve() }
    waiting.set(key, flight)
    controller.signal.addEventListener('abort', depart, { once: true })
    flight.result = start(controller.signal, depart).finally(depart)
    return flight
  }

  async function join<Value>(
    key: string,
    signal: AbortSignal | undefined,
    start: (shared: AbortSignal, depart: () => void) => Promise<Value>,
  ): Promise<Value> {
    signal?.throwIfAborted()
    const flight = waiting.get(key) ?? open(key, start)
    flight.callers += 1
    // Values of one key are of one type.
    const result = flight.result as Promise<Value>
    if (!signal) return result
    const { promise: left, reject } = Promise.withResolvers<never>()
    const leave = () => {
      flight.callers -= 1
      if (flight.callers === 0) flight.controller.abort()
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([result, left])
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  return { join }
}

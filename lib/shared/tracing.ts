/** Facts of a span: names of the program, numbers and ids. Never what a person typed or what a record holds. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>

/** Adds facts to a span that is under way. */
type AddFacts = (facts: SpanFacts) => void

/** The headers of a request that came in, which may name the trace that it is part of. */
type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>

/** The tracer of this process, where traces are exported. */
export type Tracer = {
  run: <Value>(
    name: string,
    facts: SpanFacts,
    work: (add: AddFacts) => Promise<Value>,
    received?: ReceivedHeaders,
  ) => Promise<Value>
  /** The trace context (W3C) of the span under way, for an outgoing request. */
  headers: () => Record<string, string>
}

const store = globalThis as typeof globalThis & { carddeskTracer?: Tracer | undefined }

/** Exports spans from now on; null exports none. */
export function setTracer(tracer: Tracer | null): void {
  store.carddeskTracer = tracer ?? undefined
}

/** Whether the process exports spans. */
export function isTraced(): boolean {
  return store.carddeskTracer !== undefined
}

/**
 * Runs `work` in a span of this name, of the trace that `received` names or else of the one under way. Without a tracer, which is the
 * default, it only runs `work`.
 */
export function traced<Value>(
  name: string,
  facts: SpanFacts,
  work: (add: AddFacts) => Promise<Value>,
  received?: ReceivedHeaders,
): Promise<Value> {
  return store.carddeskTracer ? store.carddeskTracer.run(name, facts, work, received) : work(() => undefined)
}

/** The headers that continue the trace in another process; none without a tracer. */
export function traceHeaders(): Record<string, string> {
  return store.carddeskTracer?.headers() ?? {}
}

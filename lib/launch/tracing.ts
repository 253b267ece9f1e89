import {
  context,
  diag,
  DiagLogLevel,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TracerProvider,
  TraceIdRatioBasedSampler,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace'
import { Client } from 'pg'
import { logFailure } from '#lib/shared/log.ts'
import { setTracer, type SpanFacts } from '#lib/shared/tracing.ts'

export type Tracing = {
  /** Sends what has ended, and waits for it. */
  flush: () => Promise<void>
  /** Sends what has ended and stops. A collector that is away does not hold up the stop for more than 2 s. */
  stop: () => Promise<void>
}

const stopTimeoutMs = 2000

/**
 * Exports the spans of Next (pages, routes), of server actions, operations, requests to the service and statements of the
 * database as OTLP over HTTP. Where the collector is and its headers come from the standard `OTEL_…` variables. `share` of the
 * traces that begin here are exported, 0 to 1.
 */
export function startTracing(share: number): Tracing {
  diag.setLogger(quiet, DiagLogLevel.ERROR)
  const processor = new BatchSpanProcessor({ exporter: withoutPersonalData(new OTLPTraceExporter()) })
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'carddesk' }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [processor],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  const tracer = provider.getTracer('carddesk')

  setTracer({
    run: (name, facts, work, received) =>
      tracer.startActiveSpan(name, { attributes: named(facts) }, traceOf(received), async (span) => {
        try {
          return await work((more) => span.setAttributes(named(more)))
        } catch (error) {
          failed(span, error)
          throw error
        } finally {
          span.end()
        }
      }),
    headers: () => {
      const headers: Record<string, string> = {}
      propagation.inject(context.active(), headers)
      return headers
    },
  })
  const restore = traceStatements()
  const stop = async () => {
    setTracer(null)
    restore()
    trace.disable()
    propagation.disable()
    context.disable()
    const { promise: timeUp, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, stopTimeoutMs)
    // Spans that the collector does not accept are lost; the exporter has logged why.
    await Promise.race([provider.shutdown().catch(() => undefined), timeUp])
    clearTimeout(timer)
    diag.disable()
  }
  return { flush: () => processor.forceFlush(), stop }

  function traceOf(received: Readonly<Record<string, unknown>> | undefined): Context {
    return received ? propagation.extract(context.active(), received) : context.active()
  }

  /** Statements within a span become its children: their verb and pool, never their text or values. */
  function traceStatements(): () => void {
    const { query } = Client.prototype
    const run = query as unknown as (this: Client, ...statement: unknown[]) => unknown
    Client.prototype.query = function (this: Client, ...statement: unknown[]) {
      const parent = trace.getActiveSpan()
      if (!parent?.isRecording() || isCursor(statement[0])) return run.apply(this, statement)
      const verb = sqlVerb(statement[0])
      const facts = { 'db.system.name': 'postgresql', 'db.operation.name': verb }
      const span = tracer.startSpan(`postgresql ${verb}`, { kind: SpanKind.CLIENT, attributes: facts })
      const end = (error?: unknown) => {
        if (error) failed(span, error)
        span.end()
      }
      const receive = statement.at(-1)
      if (typeof receive === 'function') {
        const received = (error: unknown, ...result: unknown[]) => {
          end(error)
          receive(error, ...result)
        }
        return run.apply(this, [...statement.slice(0, -1), received])
      }
      const result = run.apply(this, statement)
      void endWith(result)
      return result

      async function endWith(running: unknown): Promise<void> {
        end(
          await Promise.resolve(running).then(
            () => undefined,
            (error: unknown) => error ?? true,
          ),
        )
      }
    } as typeof query
    return () => {
      Client.prototype.query = query
    }
  }
}

/** The collector being away is logged without ending anything: the processor drops what it cannot send. */
const quiet = {
  error: (message: string) => logFailure(new Error(message), { while: 'exporting traces' }),
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
  verbose: () => undefined,
}

function named(facts: SpanFacts): Attributes {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [`carddesk.${name}`, value]))
}

/** An error by its code or class: its message may hold what a person typed. */
function failed(span: Span, error: unknown): void {
  const { code } = (error ?? {}) as { code?: unknown }
  const type =
    typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : error instanceof Error ? error.name : 'error'
  span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

function isCursor(statement: unknown): boolean {
  return typeof statement === 'object' && statement !== null && 'submit' in statement
}

function sqlVerb(statement: unknown): string {
  const text = typeof statement === 'string' ? statement : ((statement as { text?: string } | null)?.text ?? '')
  return /^\s*([a-z]+)\b/i.exec(text)?.[1]?.toUpperCase() ?? 'STATEMENT'
}

/** Attributes of Next's spans that never hold a path with ids, a query or a message. */
const harmless = new Set([
  'http.method',
  'http.route',
  'http.status_code',
  'next.route',
  'next.rsc',
  'next.span_type',
  'db.system.name',
  'db.operation.name',
  'error.type',
])

/** Sends of each span its name without paths, and what is known to be harmless: no URL, no message, no stack. */
function withoutPersonalData(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(redactedSpan), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

export function redactedSpan(span: ReadableSpan): ReadableSpan {
  const { attributes } = span
  const routes = [attributes['next.route'], attributes['http.route']]
  const name = span.name
    .split(' ')
    .filter((part) => !/^\/|:\/\//.test(part) || routes.includes(part))
    .join(' ')
  return Object.assign(Object.create(span) as ReadableSpan, {
    name,
    attributes: Object.fromEntries(
      Object.entries(attributes).filter(([key]) => harmless.has(key) || key.startsWith('carddesk.')),
    ),
    events: [],
    links: [],
    status: { code: span.status.code },
  })
}

import { z } from 'zod'
import { clientErrors } from './service-error.ts'
import type { Exchange } from './transport.ts'

/**
 * What an attempt came to. `again`: the same request may succeed later. `hadEffect`: whether the service may have acted on
 * it, where it did not say so itself.
 */
export type Reading = {
  verdict: 'done' | 'refused' | 'again' | 'final'
  hadEffect: 'no' | 'possibly'
  status: number | null
  code: string | null
  message: string
  requestId: string | null
  retryAfterMs: number | null
  answer: unknown
  /** The service sent a stored answer again. */
  replayed: boolean
  cause: unknown
}

/** Reads what came back for an endpoint whose answer has this schema. It keeps every field and value as it was sent. */
export function readAnswer({ status, headers, text, failure }: Exchange, schema: z.ZodType, nowMs: number): Reading {
  const base = {
    status,
    requestId: bounded(headers['x-request-id'], 200),
    retryAfterMs: retryAfterMs(headers['retry-after'], nowMs),
    answer: undefined,
    replayed: headers['idempotency-replayed'] === 'true',
    cause: failure?.cause,
  }
  const failed = (code: keyof typeof clientErrors, verdict: 'again' | 'final', wasSent = true): Reading => {
    return { ...base, verdict, hadEffect: wasSent ? 'possibly' : 'no', code, message: clientErrors[code] }
  }

  if (status !== null && status >= 400) {
    const { code, message } = errorBody(text)
    const verdict = status >= 500 || status === 429 ? 'again' : 'refused'
    const hadEffect = verdict === 'again' ? 'possibly' : 'no'
    return { ...base, verdict, hadEffect, code, message: message ?? `The service answered with HTTP ${status}.` }
  }
  if (failure) {
    const isFinal = failure.code === 'ANSWER_TOO_LARGE' || failure.code === 'CANCELLED'
    return failed(failure.code, isFinal ? 'final' : 'again', failure.wasSent)
  }
  const answer = parse(text ?? '')
  if (status === null || status < 200 || status >= 300 || !hasShape(answer, schema)) {
    return failed('ANSWER_UNREADABLE', 'final')
  }
  return { ...base, verdict: 'done', hadEffect: 'possibly', code: null, message: '', answer }
}

/**
 * Where an answer differs from the contract, as paths with what was expected there, never with what was sent; empty where
 * it does not. Unknown fields are no deviation: the interface grows by them.
 */
export function deviationsOf(answer: unknown, schema: z.ZodType): string[] {
  try {
    const parsed = schema.safeParse(answer)
    if (parsed.success) return []
    return parsed.error.issues.slice(0, 20).map((issue) => `${issue.path.join('.') || 'answer'}: ${issue.message}`)
  } catch {
    return ['answer: nested too deeply to be compared with the contract']
  }
}

/** Nothing can be read from an answer that is no object or array, as the contract has it, or lacks the array of a list. */
function hasShape(answer: unknown, schema: z.ZodType): boolean {
  if (typeof answer !== 'object' || answer === null) return false
  if (schema instanceof z.ZodArray) return Array.isArray(answer)
  if (!(schema instanceof z.ZodObject)) return true
  if (Array.isArray(answer)) return false
  const fields = new Map(Object.entries(answer))
  return Object.entries(schema.shape).every(
    ([name, field]) => !(field instanceof z.ZodArray) || Array.isArray(fields.get(name)),
  )
}

function errorBody(text: string | null): { code: string | null; message: string | null } {
  const body = parse(text ?? '')
  if (typeof body !== 'object' || body === null) return { code: null, message: null }
  const fields = new Map(Object.entries(body))
  return { code: bounded(fields.get('code'), 100), message: bounded(fields.get('message'), 2000) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function bounded(value: unknown, length: number): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, length) : null
}

/** RFC 9110, 10.2.3: seconds, or an HTTP date. */
function retryAfterMs(value: unknown, nowMs: number): number | null {
  if (typeof value !== 'string') return null
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs)
}

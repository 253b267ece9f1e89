import { fail, ok, type Result } from '#lib/shared/result.ts'
import { ApiError } from '../api-error.ts'
import { errorOfIssues } from '../field-issues.ts'
import { parseJson, type Json } from './parse-json.ts'

/** The JSON of a POST with its issues. Throws for another content type, another charset than UTF-8, and what is no JSON. */
export function readJson(contentType: string | null, body: Uint8Array | null): Result<Json, ApiError> {
  if (!isJson(contentType)) {
    return fail(new ApiError('UNSUPPORTED_MEDIA_TYPE', 'the Content-Type must be application/json'))
  }
  const parsed = parseJson(body)
  return parsed.ok ? parsed : fail(new ApiError('INVALID_PARAMETERS', parsed.error))
}

/** The JSON of a POST, for callers that check nothing beside its issues: those are thrown, too. */
export function readContent(contentType: string | null, body: Uint8Array | null): Result<unknown, ApiError> {
  const json = readJson(contentType, body)
  if (!json.ok) return json
  return json.value.issues.length > 0 ? fail(errorOfIssues(json.value.issues)) : ok(json.value.value)
}

function isJson(contentType: string | null): boolean {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='))
  return type.trim() === 'application/json' && /^(charset="?utf-?8"?)?$/.test(charset ?? '')
}

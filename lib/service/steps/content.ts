import { fail, ok, type Result } from '#lib/shared/result.ts'
import { ServiceRefusal } from '../refusal.ts'
import { parseJson } from './parse-json.ts'

/** The JSON of a POST. Refuses another content type, another charset than UTF-8, and what is no JSON. */
export function readContent(contentType: string | null, body: Uint8Array | null): Result<unknown, ServiceRefusal> {
  if (!isJson(contentType)) {
    return fail(new ServiceRefusal('UNSUPPORTED_MEDIA_TYPE', 'the Content-Type must be application/json'))
  }
  const parsed = parseJson(body)
  return parsed.ok ? ok(parsed.value) : fail(new ServiceRefusal('INVALID_PARAMETERS', parsed.error))
}

function isJson(contentType: string | null): boolean {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='))
  return type.trim() === 'application/json' && /^(charset="?utf-?8"?)?$/.test(charset ?? '')
}

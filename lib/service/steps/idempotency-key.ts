import type { Endpoint } from '#lib/contract/endpoint.ts'
import { textIn } from '#lib/shared/json.ts'
import { fail, ok, type Result } from '#lib/shared/result.ts'
import type { FieldIssue } from '../field-issues.ts'

/**
 * The idempotency key of a POST: the header, or `idempotencyKey` in the body where the row has it. Null where there is
 * none; a key in the body that is not usable is left to the schema to refuse.
 */
export function findIdempotencyKey(
  header: string | null,
  row: Endpoint | undefined,
  body: unknown,
): Result<string | null, FieldIssue> {
  const inBody = row && namesKey(row) ? keyOf(body) : null
  if (header !== null && !isUsable(header)) {
    return fail({ path: 'Idempotency-Key', message: 'must be 1 to 255 visible characters' })
  }
  if (header !== null && inBody !== null && header !== inBody) {
    return fail({ path: 'idempotencyKey', message: 'must be the same as in the header Idempotency-Key' })
  }
  return ok(header ?? inBody)
}

function namesKey({ body }: Endpoint): boolean {
  return body !== undefined && 'shape' in body && 'idempotencyKey' in (body.shape as object)
}

function keyOf(body: unknown): string | null {
  const key = textIn(body, 'idempotencyKey')
  return key !== null && isUsable(key) ? key : null
}

function isUsable(key: string): boolean {
  return key.trim() !== '' && key.length <= 255 && !/[\p{Cc}\p{Cs}]/u.test(key)
}

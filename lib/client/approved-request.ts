import type { EndpointName } from '#lib/contract/endpoints.ts'
import { sha256Hex } from '#lib/signing/digest.ts'
import { inputFor, prepare, type Prepared } from './prepare.ts'
import type { ServiceProfile } from './service-profile.ts'

/**
 * The content of an approval: a request by its digest, or the terms of a payout, from which the request follows with
 * the id of a newer quote. The digest of terms is that of their bytes.
 */
export type ApprovedRequest = { sha256: string } | { termsSha256: string; terms: Uint8Array; quoteId: string }

/** Terms as their bytes hold them. The body has the first quote's id, so that the order of its fields is fixed. */
type Terms = { endpoint: EndpointName; body: Record<string, unknown> }

/** Thrown where the bytes to be signed are not those that were approved. Nothing was sent. */
export class NotApprovedError extends Error {
  override readonly name = 'NotApprovedError'
}

/** SHA-256 over the method, a space, the path with its query, a line feed and the exact bytes of the body. */
export function requestSha256({ method, path, bytes }: Pick<Prepared, 'method' | 'path' | 'bytes'>): string {
  return sha256Hex(Buffer.concat([Buffer.from(`${method} ${path}\n`), bytes ?? Buffer.alloc(0)]))
}

/** Throws `NotApprovedError` where the request is not the approved one, or does not follow from the approved terms. */
export function requireApproved(request: Prepared, approved: ApprovedRequest, profile: ServiceProfile): void {
  const sha256 = requestSha256(request)
  if ('sha256' in approved) {
    if (sha256 === approved.sha256) return
  } else if (sha256Hex(approved.terms) === approved.termsSha256) {
    if (sha256 === requestSha256(fromTerms(approved.terms, approved.quoteId, profile))) return
  }
  throw new NotApprovedError(`The request to ${request.path} is not the one that was approved, so it is not signed`)
}

/** The request that terms come to with a quote. */
export function fromTerms(terms: Uint8Array, quoteId: string, profile: ServiceProfile): Prepared {
  const { endpoint, body } = JSON.parse(Buffer.from(terms).toString('utf8')) as Terms
  return prepare(endpoint, inputFor(endpoint, { body: { ...body, quoteId } }), profile)
}

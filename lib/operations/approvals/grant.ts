import 'server-only'
import { eq } from 'drizzle-orm'
import { requestSha256, type ApprovedRequest } from '#lib/client/approved-request.ts'
import { database } from '#lib/db/connection.ts'
import { keyedDigest, openStored, sealStored } from '#lib/db/sealing.ts'
import type { PreparedRequest } from '#lib/environments/environments.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { logFailure } from '#lib/shared/log.ts'
import { sha256Hex } from '#lib/signing/digest.ts'
import { approvals } from '#lib/tables/approvals.ts'
import type { operations } from '#lib/tables/operations.ts'

/** The approval of a checker. Sealed, so that only the console can create one. `quoteId` is that of a newer quote. */
export type Grant = { sha256: string; termsSha256: string | null; quoteId: string | null; by: string; at: string }

export function sealGrant(operationId: string, grant: Grant): Buffer {
  return sealStored(Buffer.from(JSON.stringify(grant)), `grant ${operationId}`)
}

type Row = Pick<typeof operations.$inferSelect, 'id' | 'needsApproval' | 'sealedGrant'>

/** The grant of an operation; null where there is none or it was altered. */
export function openGrant({ id, sealedGrant }: Row): Grant | null {
  if (!sealedGrant) return null
  try {
    const plain = openStored(sealedGrant, `grant ${id}`)
    return JSON.parse(plain.toString('utf8')) as Grant
  } catch (error) {
    logFailure(error, { while: 'opening what was approved', operation: id })
    return null
  }
}

/**
 * The digest that the signer compares with an operation's bytes; undefined where no approval is needed. Without a grant
 * nothing is signed.
 */
export async function readApprovedRequest(row: Row): Promise<ApprovedRequest | undefined> {
  if (!row.needsApproval) return undefined
  const grant = openGrant(row)
  if (!grant) return { sha256: '' }
  if (grant.termsSha256 === null || grant.quoteId === null) return { sha256: grant.sha256 }
  const terms = await readTerms(row.id)
  return terms ? { termsSha256: grant.termsSha256, terms, quoteId: grant.quoteId } : { sha256: '' }
}

/** The terms of an approval as they were approved; null where there are none or they were altered. */
export async function readTerms(id: string): Promise<Buffer | null> {
  const [row] = await database().select({ sealed: approvals.sealedTerms }).from(approvals).where(eq(approvals.id, id))
  return row?.sealed ? openTerms(id, row.sealed) : null
}

export function sealTerms(id: string, terms: object): { bytes: Buffer; sealed: Buffer } {
  const bytes = Buffer.from(JSON.stringify(terms))
  return { bytes, sealed: sealStored(bytes, `terms ${id}`) }
}

export function openTerms(id: string, sealed: Buffer): Buffer | null {
  try {
    return openStored(sealed, `terms ${id}`)
  } catch (error) {
    logFailure(error, { while: 'opening approved terms', operation: id })
    return null
  }
}

export type Digests = { sha256: string; termsSha256: string | null; fingerprint: string }

/**
 * The digests to approve. People compare `fingerprint`: that of the terms, which hold the request, or of the request; a
 * keyed one where a plain digest would reveal a secret.
 */
export function grantDigests(
  id: string,
  request: PreparedRequest,
  terms: Uint8Array | null,
  holdsSecret: boolean,
  key: Buffer = consoleSettings().sealingKey,
): Digests {
  const sha256 = requestSha256(request)
  const termsSha256 = terms && sha256Hex(terms)
  const plain = termsSha256 ?? sha256
  const fingerprint = holdsSecret ? keyedDigest(key, ['approval', id, plain]) : plain
  return { sha256, termsSha256, fingerprint }
}

import type { KeyObject } from 'node:crypto'
import { type SignedRequest, signRequest } from './request-token.ts'

/** How a caller authenticates. Without a private key it is the access key alone, which the interface allows in a sandbox (Authentication 4). */
export type Credentials = { accessKey: string; privateKey: KeyObject | null }

/** The value of a request's `Authorization` header: a token of its own, or HTTP Basic with the access key and an empty password. */
export async function signAuthorization({
  accessKey,
  privateKey,
  ...request
}: SignedRequest & Credentials): Promise<string> {
  if (privateKey === null) return `Basic ${Buffer.from(`${accessKey}:`).toString('base64')}`
  return `Bearer ${await signRequest({ ...request, accessKey, privateKey })}`
}

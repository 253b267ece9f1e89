import { randomBytes } from 'node:crypto'
import { peerAddress } from '#lib/shared/peer-address.ts'
import { openCardNumber, securityCode } from '../card-number.ts'
import { sandboxNow } from '../clock.ts'
import { serviceKey, type KeyStore } from '../service-keys.ts'
import type { PublicRequest } from '../service.ts'
import { openContentLink } from './content-links.ts'
import { refusedPage, sensitiveDataPage } from './page.ts'

/** `GET /secure-content/{id}`: the card's number, expiry and security code, once; 403 for other callers. */
export async function serveSecureContent(requested: PublicRequest): Promise<Response> {
  const { service, request, id: contentId, remoteAddress } = requested
  const { cardNumberKey, previousCardNumberKey, trustedProxyHops } = service.settings
  const ipAddress = peerAddress(remoteAddress, request.headers.get('x-forwarded-for'), trustedProxyHops)
  // A browser that prefetches must not use up the link before a person opens it.
  if (ipAddress === null || request.headers.get('sec-purpose')?.includes('prefetch')) return refusedPage()
  const card = await openContentLink(service.db, await sandboxNow(service.db), { contentId, ipAddress })
  if (!card) return refusedPage()
  const { expiryMonth, expiryYear, embossedName } = card
  const number = openCardNumber(card.sealedNumber, card.id, cardNumberKey, previousCardNumberKey)
  const code = securityCode(number, expiryMonth, expiryYear, await securityCodeKey(service))
  return sensitiveDataPage({ number, expiryMonth, expiryYear, securityCode: code, embossedName })
}

/** The key of security codes, made when it is first needed. */
export function securityCodeKey(store: KeyStore): Promise<Buffer> {
  return serviceKey(store, 'security-codes', () => randomBytes(32))
}

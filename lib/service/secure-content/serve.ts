import { createHash, randomBytes } from 'node:crypto'
import { peerAddress } from '#lib/shared/peer-address.ts'
import { openCardNumber, securityCode } from '../card-number.ts'
import { sandboxNow } from '../clock.ts'
import { serviceKey, type KeyStore } from '../service-keys.ts'
import type { PublicRequest } from '../service.ts'
import { openContentLink } from './content-links.ts'

/** The card data on a secure-content page. */
type SensitiveData = {
  number: string
  expiryMonth: number
  expiryYear: number
  securityCode: string
  embossedName: string
}

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0; padding: 16px; }
dl { display: grid; grid-template-columns: auto auto; gap: 4px 20px; justify-content: start; margin: 0; }
dt { grid-row: 1; font-size: 12px; opacity: 0.72; }
dd { grid-row: 2; margin: 0; font-family: ui-monospace, monospace; font-size: 18px; letter-spacing: 0.04em; white-space: nowrap; }
p { margin: 0 0 12px; }
@media (max-width: 460px) { dl { grid-template-columns: 1fr; } dt, dd { grid-row: auto; } }
`

const styleHash = createHash('sha256').update(style).digest('base64')

/** No script, nothing from anywhere else, stored nowhere. Any page may frame it: the link decides who may open it. */
const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; sandbox`,
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
}

function sensitiveDataPage(data: SensitiveData): Response {
  const expiry = `${String(data.expiryMonth).padStart(2, '0')}/${String(data.expiryYear % 100).padStart(2, '0')}`
  const rows = [
    ['Card number', data.number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')],
    ['Expiry', expiry],
    ['Security code', data.securityCode],
  ]
  const list = rows.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('')
  return page('Card details', `<p>${escaped(data.embossedName)}</p><dl>${list}</dl>`, 200)
}

/** One page for every reason, so that it reveals nothing about the link. */
function refusedPage(): Response {
  return page('Card details', '<p>This link cannot be opened. Request a new one.</p>', 403)
}

function page(title: string, content: string, status: number): Response {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${style}</style></head><body><main>${content}</main></body></html>`
  return new Response(html, { status, headers })
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

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

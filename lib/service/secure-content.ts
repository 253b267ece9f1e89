import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, isNull, notInArray } from 'drizzle-orm'
import { sensitiveInfoLifetimeMs } from '#lib/contract/cards.ts'
import type { Queryable } from '#lib/db/connection.ts'
import { callerAddress, toIpv4 } from '#lib/shared/peer-address.ts'
import { sha256Hex } from '#lib/signing/digest.ts'
import { openCardNumber, securityCode } from './card-number.ts'
import { readSandboxNow } from './clock.ts'
import { html, type Html } from './docs/html.ts'
import { type KeyStore, serviceKey } from './service-keys.ts'
import type { PublicRequest } from './service.ts'
import { cards } from './tables/cards.ts'
import { contentLinks } from './tables/runtime.ts'

/** Makes a link to a card's sensitive data. The database stores a digest of its id, so that it cannot be opened from there. */
export async function createContentLink(
  db: Queryable,
  now: Date,
  link: { cardId: string; ipAddress: string },
): Promise<{ contentId: string; expiresAt: Date }> {
  const contentId = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + sensitiveInfoLifetimeMs)
  await db.insert(contentLinks).values({ id: sha256Hex(contentId), ...link, expiresAt })
  return { contentId, expiresAt }
}

/**
 * Uses a link up and gives its card: once, in time, from its own address, while the card has a number to show. Undefined
 * otherwise, and then the link stays as it was.
 */
async function openContentLink(db: Queryable, now: Date, request: { contentId: string; ipAddress: string }) {
  const [card] = await db
    .update(contentLinks)
    .set({ openedAt: now })
    .from(cards)
    .where(
      and(
        eq(contentLinks.id, sha256Hex(request.contentId)),
        eq(contentLinks.ipAddress, request.ipAddress),
        isNull(contentLinks.openedAt),
        gt(contentLinks.expiresAt, now),
        eq(cards.id, contentLinks.cardId),
        notInArray(cards.status, ['pending-issue', 'cancelled']),
      ),
    )
    .returning({
      id: cards.id,
      embossedName: cards.embossedName,
      expiryMonth: cards.expiryMonth,
      expiryYear: cards.expiryYear,
      sealedNumber: cards.sealedNumber,
    })
  return card
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

/** One page for every reason, so that it reveals nothing about the link. */
function refusedPage(): Response {
  return page(html`<p>This link cannot be opened. Request a new one.</p>`, 403)
}

function page(content: Html, status: number): Response {
  const text = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Card details</title><style>${style}</style></head><body><main>${content.markup}</main></body></html>`
  return new Response(text, { status, headers })
}

/** `GET /secure-content/{id}`: the card's number, expiry and security code, once; 403 for other callers. */
export async function serveSecureContent(requested: PublicRequest): Promise<Response> {
  const { service, request, id: contentId, remoteAddress } = requested
  const { cardNumberKey, previousCardNumberKey, trustedProxyHops } = service.settings
  const ipAddress = toIpv4(callerAddress(remoteAddress, request.headers.get('x-forwarded-for'), trustedProxyHops))
  // A browser that prefetches must not use up the link before a person opens it.
  if (ipAddress === null || request.headers.get('sec-purpose')?.includes('prefetch')) return refusedPage()
  const card = await openContentLink(service.db, await readSandboxNow(service.db), { contentId, ipAddress })
  if (!card) return refusedPage()
  const { expiryMonth, expiryYear, embossedName } = card
  const number = openCardNumber(card.sealedNumber, card.id, cardNumberKey, previousCardNumberKey)
  const twoDigits = (value: number) => String(value % 100).padStart(2, '0')
  const rows = [
    ['Card number', number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')],
    ['Expiry', `${twoDigits(expiryMonth)}/${twoDigits(expiryYear)}`],
    ['Security code', securityCode(number, expiryMonth, expiryYear, await securityCodeKey(service))],
  ]
  const list = rows.map(
    ([name, value]) =>
      html`<dt>${name}</dt>
        <dd>${value}</dd>`,
  )
  return page(
    html`<p>${embossedName}</p>
      <dl>${list}</dl>`,
    200,
  )
}

/** The key of security codes, made when it is first needed. */
export function securityCodeKey(store: KeyStore): Promise<Buffer> {
  return serviceKey(store, 'security-codes', () => randomBytes(32))
}

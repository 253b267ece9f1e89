import 'server-only'
import { and, desc, eq, gt } from 'drizzle-orm'
import { z } from 'zod'
import { appendAudit } from '#lib/audit/chain.ts'
import { recordRefusedAttempt } from '#lib/audit/refused-attempts.ts'
import { currentOrigin } from '#lib/audit/request-origin.ts'
import { requireStepUp } from '#lib/auth/step-up.ts'
import { revealReasons } from '#lib/contract/card-actions.ts'
import { database } from '#lib/db/connection.ts'
import { lockByName } from '#lib/db/locks.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { readServiceClock } from '#lib/environments/control-plane.ts'
import { callService } from '#lib/environments/environments.ts'
import { action } from '#lib/gate/action.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { isAppError, AppError } from '#lib/shared/app-error.ts'
import { holdsCardNumber } from '#lib/shared/card-numbers.ts'
import { EnvironmentName, noCardNumber, plainText, ServiceId } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { hourMs } from '#lib/shared/time.ts'
import { auditEntries, type AuditEvent } from '#lib/tables/audit.ts'
import { cardTarget, cardTargetIn, findIndexedCard } from './operations.ts'
import type { RevealCardResult } from './types.ts'

const Reveal = z
  .object({
    environment: EnvironmentName,
    cardAccountId: ServiceId,
    cardId: ServiceId,
    reason: z.enum(revealReasons, 'must be one of the listed reasons'),
    comment: plainText(500)
      .refine(...noCardNumber)
      .transform((text) => text.trim() || null)
      .nullish(),
  })
  .refine(({ reason, comment }) => reason !== 'other' || Boolean(comment), {
    path: ['comment'],
    message: 'must say why, where the reason is other',
  })

/** Cards that one person may reveal in an hour, in both environments together. */
export const revealsPerHour = 10

const act = 'card.reveal'

/**
 * Requests the link to a card's number, expiry and security code. The console never opens it: the link goes to the browser
 * once, and only after the audit log has who requested it, why, and for which address.
 */
export const revealCard = action('revealCard', {
  input: Reveal,
  target: cardTargetIn,
  run: async (given, { staff: by }): Promise<RevealCardResult> => {
    const { environment, cardAccountId, cardId, reason, comment = null } = given
    const known = await findIndexedCard(environment, cardAccountId, cardId)
    if (!known && holdsCardNumber(cardId)) {
      return { kind: 'invalid', fields: { cardId: 'must not hold a card number' } }
    }
    const event = {
      by,
      environment,
      act,
      target: cardTarget(cardAccountId, cardId, known),
      reason,
      comment,
    }
    await requireStepUp({
      kind: act,
      environment,
      operationId: null,
      input: { cardAccountId, cardId, reason, comment },
      target: event.target,
    })
    try {
      const ipAddress = await requireIpv4Address()
      // Before the request to the service, and again when the link is there: requests may run side by side.
      const limited = await readRevealLimit(by.id)
      if (limited) return await refuseForLimit(event, limited)
      const link = await requestLink(environment, { cardAccountId, cardId, ipAddress })
      const details = { ipAddress, ...(link.expiresAt ? { linkExpiresAt: link.expiresAt } : {}) }
      const reached = await recordReveal({ ...event, outcome: 'done', details, requestId: link.requestId })
      return reached ? await refuseForLimit(event, reached) : { kind: 'revealed', url: link.url, ipAddress }
    } catch (error) {
      if (!isAppError(error)) throw error
      const { code, requestId } = error
      await recordRefusedAttempt(database(), { ...event, code, requestId })
      throw error
    }
  },
})

/** The address of the person's browser, to which the interface binds a link. Throws `ADDRESS_NOT_IPV4`. */
async function requireIpv4Address(): Promise<string> {
  const { ipAddress } = await currentOrigin()
  if (ipAddress !== null && !ipAddress.includes(':')) return ipAddress
  throw new AppError(
    'ADDRESS_NOT_IPV4',
    ipAddress === null
      ? 'Carddesk does not know your IP address, and card details open from one address only.'
      : 'You are connected over IPv6, and card details open from an IPv4 address only.',
  )
}

/** When the person can reveal the next card; null: now. */
async function readRevealLimit(staffId: string, db: Pick<ReturnType<typeof database>, 'select'> = database()) {
  const { at } = auditEntries
  const newest = await db
    .select({ at })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.staffId, staffId),
        eq(auditEntries.act, act),
        eq(auditEntries.outcome, 'done'),
        gt(at, new Date(Date.now() - hourMs)),
      ),
    )
    .orderBy(desc(auditEntries.number))
    .limit(revealsPerHour)
  const oldest = newest[revealsPerHour - 1]
  return oldest ? new Date(oldest.at.getTime() + hourMs) : null
}

/** Writes the audit entry, unless the person reached the limit meanwhile: then it returns when the next one is possible. */
function recordReveal(event: AuditEvent & { by: { id: string } }): Promise<Date | null> {
  return inTransaction(database(), async (tx) => {
    await lockByName(tx, 'reveals of a person', event.by.id)
    const limited = await readRevealLimit(event.by.id, tx)
    if (limited === null) await appendAudit(tx, event)
    return limited
  })
}

async function refuseForLimit(event: Omit<AuditEvent, 'outcome'>, availableAt: Date): Promise<RevealCardResult> {
  await recordRefusedAttempt(database(), { ...event, code: 'TOO_MANY_ATTEMPTS' })
  return { kind: 'limited', availableAt: availableAt.toISOString() }
}

async function requestLink(
  environment: Environment,
  query: { cardAccountId: string; cardId: string; ipAddress: string },
): Promise<{ url: string; expiresAt: string | null; requestId: string | null }> {
  const { response, hasTimeWithoutZone, requestId } = await callService(environment, 'getCardSensitiveInfo', { query })
  const { services, builtInServiceOrigin } = consoleSettings()
  const url =
    usableLink(response.url, services[environment]?.baseUrl ?? '') ??
    // The console calls the built-in service on this machine; its links have the console's public origin.
    (environment === 'sandbox' ? usableLink(response.url, builtInServiceOrigin ?? '') : null)
  if (url === null) {
    const returned = response.url ? 'a link that Carddesk does not open' : 'no link'
    throw new AppError('SERVICE_REFUSED', `The card service returned ${returned}. Contact an admin.`, requestId)
  }
  const { expiry } = response
  // A time without a zone may be hours from what it is read as.
  if (expiry !== null && !hasTimeWithoutZone && (await isPast(environment, expiry))) {
    const happened = 'The card service returned a link that has expired already. Nothing was shown.'
    throw new AppError('SERVICE_REFUSED', `${happened} Reveal the card again to get a new one.`, requestId)
  }
  return { url, expiresAt: expiry, requestId }
}

/** By the service's clock, which may be ahead of this one. */
async function isPast(environment: Environment, time: string): Promise<boolean> {
  const { serviceAt } = await readServiceClock(environment)
  return Date.parse(time) <= serviceAt.getTime()
}

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

/** The link, where it leads to the origin of the service by https, or by http to a service on this machine; else null. */
export function usableLink(link: string | null, serviceUrl: string): string | null {
  if (!link || !URL.canParse(link) || !URL.canParse(serviceUrl)) return null
  const { origin, protocol, hostname, username, password, href } = new URL(link)
  if (origin !== new URL(serviceUrl).origin || username !== '' || password !== '') return null
  const isSafe = protocol === 'https:' || (protocol === 'http:' && loopbackHosts.includes(hostname))
  return isSafe ? href : null
}

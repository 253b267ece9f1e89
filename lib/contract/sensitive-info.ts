import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Timestamp, Uuid } from './fields.ts'

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'

const Ipv4Address = z
  .string('must be a string')
  .regex(new RegExp(`^${octet}(?:\\.${octet}){3}$`), 'must be an IPv4 address, each octet 0 to 255')

const SensitiveInfoLink = z.object({ expiry: Timestamp, url: z.url() }).meta({ id: 'SensitiveInfoLink' })
type SensitiveInfoLink = z.infer<typeof SensitiveInfoLink>

/** Decision: the link opens once, within this time, only from `ipAddress`. */
export const sensitiveInfoLifetimeMs = 60_000

export const sensitiveInfoEndpoints = {
  getCardSensitiveInfo: endpoint({
    method: 'GET',
    path: '/cards/card-sensitive-info',
    summary: 'A link to the card’s number, expiry and security code: one use, 60 seconds, one address.',
    query: z.object({ cardAccountId: Uuid, cardId: Uuid, ipAddress: Ipv4Address }),
    response: SensitiveInfoLink,
    errors: ['CARD_ACCOUNT_NOT_FOUND', 'CARD_NUMBER_MISMATCH', 'CARD_NOT_ISSUED', 'INACTIVE_CARD'],
  }),
}

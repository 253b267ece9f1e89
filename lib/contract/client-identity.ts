import { z } from 'zod'
import { atMost } from '#lib/shared/at-most.ts'
import { isCountryCode } from './countries.ts'
import { endpoint } from './endpoint.ts'
import { ResponseUuid, oneOf, openEnum, PhoneNumber, text, Uuid, whenObject } from './fields.ts'
import {
  emailPattern,
  genders,
  hasBothSidesOrNone,
  identityDocumentTypes,
  needsDocuments,
  supportingDocumentTypes,
} from './individual-rules.ts'
import { occupations, positions } from './occupations.ts'
import { clientIdentityStatuses, rejectionReasons } from './terms.ts'

const Country = z
  .string('must be a string')
  .refine(isCountryCode, 'must be an assigned ISO 3166-1 alpha-2 code in upper case, such as HK')

const CalendarDate = z
  .string('must be a string')
  .refine((value) => z.iso.date().safeParse(value).success, 'must be a date that exists, as YYYY-MM-DD')
  .meta({ format: 'date' })

/** Decision: a supporting document travels as a data URI (RFC 2397). */
const DataUri = z
  .string('must be a string')
  .regex(
    /^data:(?:[\w.+-]{1,64}\/[\w.+-]{1,64})?(?:;[\w.+-]{1,64}=[\w.+-]{1,64}){0,4}(?:;base64)?,[^\s]+$/i,
    'must be a data URI, such as data:image/png;base64,…',
  )
  .meta({ description: 'A data URI, such as data:image/png;base64,…' })

const SupportingDocument = z.object({
  documentType: z.enum(supportingDocumentTypes, {
    error: ({ input }) =>
      input === 'TRAVEL_PERMIT'
        ? 'TRAVEL_PERMIT was replaced by TRAVEL_PERMIT_FRONT and TRAVEL_PERMIT_BACK: give both'
        : `must be one of ${supportingDocumentTypes.join(', ')}`,
  }),
  file: DataUri,
})

type Documented = { nationality?: unknown; supportingDocuments?: unknown }

function listDocumentTypes({ supportingDocuments }: Documented): Set<unknown> {
  const documents: unknown[] = Array.isArray(supportingDocuments) ? supportingDocuments : []
  return new Set(documents.map((document) => (document as { documentType?: unknown } | null)?.documentType))
}

function bringsDocumentsWhereNeeded({ nationality, supportingDocuments }: Documented): boolean {
  if (!needsDocuments(nationality)) return true
  return Array.isArray(supportingDocuments) ? supportingDocuments.length > 0 : supportingDocuments !== undefined
}

function bringsBothSidesOrNone(individual: Documented): boolean {
  return hasBothSidesOrNone(listDocumentTypes(individual))
}

/** A code of a list that the interface gives an endpoint to. */
function codeIn(list: readonly { code: string }[], name: string) {
  const codes = new Set(list.map(({ code }) => code))
  return z.string('must be a string').refine((code) => codes.has(code), `must be a code of the ${name} list`)
}

/** An individual cardholder: the mandatory fields from 2026-02-01 on, and those decided here. */
export const Individual = individualWith({
  occupation: codeIn(occupations, 'occupations'),
  position: codeIn(positions, 'positions'),
})
export type Individual = z.infer<typeof Individual>

/** An individual whose occupation and position are validated by these schemas: a service has lists of its own. */
export function individualWith<Work extends { occupation: z.ZodType<string>; position: z.ZodType<string> }>({
  occupation,
  position,
}: Work) {
  return z
    .object({
      firstName: text(100),
      lastName: text(100),
      dateOfBirth: CalendarDate,
      email: z.email({ pattern: emailPattern, error: 'must be an e-mail address' }).max(...atMost(254)),
      mobile: PhoneNumber,
      occupation,
      position,
      gender: oneOf(genders),
      nationality: Country,
      address: text(500),
      document: z.object(
        { type: oneOf(identityDocumentTypes), number: text(64), country: Country, expiryDate: CalendarDate },
        'must be an object',
      ),
      supportingDocuments: z
        .array(SupportingDocument, 'must be an array')
        .max(20, 'must have at most 20 documents')
        .optional(),
    })
    .refine(bringsDocumentsWhereNeeded, {
      path: ['supportingDocuments'],
      message: 'is required when nationality is not HK',
      when: whenObject,
    })
    .refine(bringsBothSidesOrNone, {
      path: ['supportingDocuments'],
      message: 'must have TRAVEL_PERMIT_FRONT and TRAVEL_PERMIT_BACK together, or neither',
      when: whenObject,
    })
}

/** An individual as responses show it: personal data are masked, and files are never returned. */
export const MaskedIndividual = z.object({
  firstName: z.string(),
  lastName: z.string(),
  dateOfBirth: z.string(),
  email: z.string(),
  mobile: z.string(),
  occupation: z.string(),
  position: z.string(),
  gender: z.string(),
  nationality: z.string(),
  address: z.string(),
  document: z.object({ type: z.string(), number: z.string(), country: z.string(), expiryDate: z.string() }),
  supportingDocuments: z.array(z.object({ documentType: z.string() })),
})
export type MaskedIndividual = z.infer<typeof MaskedIndividual>

export const ClientIdentity = z
  .object({
    cardAccountId: ResponseUuid,
    status: openEnum(clientIdentityStatuses),
    rejectedReason: z.string().nullable(),
    rejectionAdditionalInfo: z.string().nullable(),
    individual: MaskedIndividual.nullable(),
  })
  .meta({ id: 'ClientIdentity' })
export type ClientIdentity = z.infer<typeof ClientIdentity>

const SimulateClientIdentity = z.object({
  cardAccountId: Uuid,
  action: oneOf(['approve', 'reject']),
  /** Only with `reject`; the first of the list when it is left out. */
  rejectedReason: oneOf(rejectionReasons).optional(),
  rejectionAdditionalInfo: z
    .string('must be a string')
    .max(...atMost(1000))
    .optional(),
})

export const clientIdentityEndpoints = {
  getClientIdentity: endpoint({
    method: 'GET',
    path: '/cardaccounts/client-identity',
    summary: 'The client identity (KYC) of a card account, personal data masked.',
    query: z.object({ cardAccountId: Uuid }),
    response: ClientIdentity,
    errors: ['CARD_ACCOUNT_NOT_FOUND'],
  }),
  resubmitClientIdentity: endpoint({
    method: 'POST',
    path: '/cardaccounts/client-identity',
    summary: 'Submits the individual again after a rejection; the status becomes pending.',
    body: z.object({ cardAccountId: Uuid, individual: Individual }),
    response: ClientIdentity,
    errors: ['CARD_ACCOUNT_NOT_FOUND'],
  }),
  simulateClientIdentityStatus: endpoint({
    method: 'POST',
    path: '/cardaccounts/simulate-client-identity-status',
    summary: 'Approves or rejects a client identity, with the same events as a real manual review.',
    body: SimulateClientIdentity,
    response: ClientIdentity,
    errors: ['CARD_ACCOUNT_NOT_FOUND', 'NOT_FOUND'],
    sandboxOnly: true,
  }),
}

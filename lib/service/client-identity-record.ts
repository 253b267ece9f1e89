import { eq } from 'drizzle-orm'
import type { ClientIdentity, MaskedIndividual } from '#lib/contract/client-identity.ts'
import type { Queryable } from '#lib/db/connection.ts'
import { fieldsOf } from '#lib/shared/json.ts'
import { cardAccounts } from './tables/card-accounts.ts'

/** The columns of a card account's identity. */
export function selectClientIdentities(db: Queryable) {
  return db
    .select({
      id: cardAccounts.id,
      xid: cardAccounts.xid,
      clientIdentityStatus: cardAccounts.clientIdentityStatus,
      rejectedReason: cardAccounts.rejectedReason,
      rejectionAdditionalInfo: cardAccounts.rejectionAdditionalInfo,
      individual: cardAccounts.individual,
    })
    .from(cardAccounts)
}

export type ClientIdentityRow = Awaited<ReturnType<typeof selectClientIdentities>>[number]

export async function findClientIdentity(db: Queryable, cardAccountId: string): Promise<ClientIdentityRow | undefined> {
  const [row] = await selectClientIdentities(db).where(eq(cardAccounts.id, cardAccountId))
  return row
}

/** The client identity, personal data masked. An account of a company has no individual. */
export function toClientIdentity(row: ClientIdentityRow): ClientIdentity {
  return {
    cardAccountId: row.id,
    status: row.clientIdentityStatus,
    rejectedReason: row.rejectedReason,
    rejectionAdditionalInfo: row.rejectionAdditionalInfo,
    individual: row.individual && maskIndividual(row.individual),
  }
}

const mask = '***'

function maskIndividual(individual: Readonly<Record<string, unknown>>): MaskedIndividual {
  const document = fieldsOf(individual.document)
  const documents: unknown[] = Array.isArray(individual.supportingDocuments) ? individual.supportingDocuments : []
  return {
    firstName: initialOf(individual.firstName),
    lastName: initialOf(individual.lastName),
    dateOfBirth: `${textOf(individual.dateOfBirth).slice(0, 4)}-**-**`,
    email: maskEmail(textOf(individual.email)),
    mobile: `${textOf(individual.mobile).slice(0, 4)}${mask}${textOf(individual.mobile).slice(-2)}`,
    occupation: textOf(individual.occupation),
    position: textOf(individual.position),
    gender: textOf(individual.gender),
    nationality: textOf(individual.nationality),
    address: mask,
    document: {
      type: textOf(document.type),
      number: mask,
      country: textOf(document.country),
      expiryDate: textOf(document.expiryDate),
    },
    supportingDocuments: documents.map((each) => ({ documentType: textOf(fieldsOf(each).documentType) })),
  }
}

/** The first character as a reader sees it, a Chinese one included. */
function initialOf(name: unknown): string {
  return `${[...textOf(name)][0] ?? ''}${mask}`
}

function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${[...email][0] ?? ''}${mask}${at === -1 ? '' : email.slice(at)}`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

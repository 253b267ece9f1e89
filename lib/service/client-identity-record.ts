import type { ClientIdentity, Individual, MaskedIndividual } from '#lib/contract/client-identity.ts'
import type { Queryable } from '#lib/db/connection.ts'
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

function maskIndividual({ document, supportingDocuments = [], ...individual }: Individual): MaskedIndividual {
  const { email, mobile } = individual
  return {
    firstName: maskToInitial(individual.firstName),
    lastName: maskToInitial(individual.lastName),
    dateOfBirth: `${individual.dateOfBirth.slice(0, 4)}-**-**`,
    email: `${maskToInitial(email)}${email.slice(email.lastIndexOf('@'))}`,
    mobile: `${mobile.slice(0, 4)}${mask}${mobile.slice(-2)}`,
    occupation: individual.occupation,
    position: individual.position,
    gender: individual.gender,
    nationality: individual.nationality,
    address: mask,
    document: { type: document.type, number: mask, country: document.country, expiryDate: document.expiryDate },
    supportingDocuments: supportingDocuments.map(({ documentType }) => ({ documentType })),
  }
}

/** The first character as a reader sees it, a Chinese one included. */
function maskToInitial(text: string): string {
  return `${[...text][0] ?? ''}${mask}`
}

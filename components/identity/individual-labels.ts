import type { genders, identityDocumentTypes, SupportingDocumentType } from '#lib/contract/individual-rules.ts'

export const genderLabels: Record<(typeof genders)[number], string> = { FEMALE: 'Female', MALE: 'Male' }

export const documentLabels: Record<(typeof identityDocumentTypes)[number], string> = {
  HKID: 'Hong Kong identity card',
  PASSPORT: 'Passport',
  NATIONAL_ID: 'National ID',
}

export const supportingLabels: Record<SupportingDocumentType, string> = {
  PASSPORT: 'Passport',
  VISA: 'Visa',
  ADDRESS_PROOF: 'Proof of address',
  TRAVEL_PERMIT_FRONT: 'Travel permit, front',
  TRAVEL_PERMIT_BACK: 'Travel permit, back',
}

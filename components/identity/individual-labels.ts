import type { genders, identityDocumentTypes } from '#lib/contract/individual-rules.ts'

export const genderLabels: Record<(typeof genders)[number], string> = { FEMALE: 'Female', MALE: 'Male' }

export const documentLabels: Record<(typeof identityDocumentTypes)[number], string> = {
  HKID: 'Hong Kong identity card',
  PASSPORT: 'Passport',
  NATIONAL_ID: 'National ID',
}

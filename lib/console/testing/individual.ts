/** A complete individual of Hong Kong, as a form sends it. No supporting documents are required of it. */
export const individual = {
  firstName: 'Mei',
  lastName: 'Chan',
  dateOfBirth: '1990-02-03',
  email: 'mei@example.com',
  mobile: '+85291234567',
  occupation: 'engineer',
  position: 'manager',
  gender: 'FEMALE',
  nationality: 'HK',
  address: '1 Queen’s Road Central',
  document: { type: 'HKID', number: 'A1234567', country: 'HK', expiryDate: '2031-01-01' },
} as const

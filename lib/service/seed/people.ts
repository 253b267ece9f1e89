import type { Individual } from '#lib/contract/client-identity.ts'
import { occupations, positions } from '#lib/contract/occupations.ts'
import type { Random } from './random.ts'

/** A cardholder as the account opening form has it. */
export type Person = {
  firstName: string
  lastName: string
  chineseName: string | null
  gender: 'MALE' | 'FEMALE'
  nationality: string
}

const surnames: readonly (readonly [string, string])[] = [
  ['Chan', '陳'],
  ['Lee', '李'],
  ['Wong', '黃'],
  ['Cheung', '張'],
  ['Lam', '林'],
  ['Ng', '吳'],
  ['Ho', '何'],
  ['Leung', '梁'],
  ['Lau', '劉'],
  ['Yeung', '楊'],
  ['Kwok', '郭'],
  ['Tang', '鄧'],
  ['Tsang', '曾'],
  ['Yip', '葉'],
  ['Chow', '周'],
  ['Fung', '馮'],
  ['Hui', '許'],
  ['Mak', '麥'],
  ['Poon', '潘'],
  ['Siu', '蕭'],
]

const givenNames: readonly (readonly [string, string, Person['gender']])[] = [
  ['Ka Ho', '家豪', 'MALE'],
  ['Hoi Yan', '凱欣', 'FEMALE'],
  ['Wai Kit', '偉傑', 'MALE'],
  ['Tsz Ching', '子晴', 'FEMALE'],
  ['Chun Hei', '俊熙', 'MALE'],
  ['Pui Shan', '佩珊', 'FEMALE'],
  ['Man Kit', '文傑', 'MALE'],
  ['Lok Yi', '樂怡', 'FEMALE'],
  ['Ho Yin', '浩賢', 'MALE'],
  ['Sze Wai', '思慧', 'FEMALE'],
  ['Chi Wai', '志偉', 'MALE'],
  ['Suk Fan', '淑芬', 'FEMALE'],
  ['Kin Man', '健文', 'MALE'],
  ['Yuen Ting', '婉婷', 'FEMALE'],
  ['Tsz Hin', '子軒', 'MALE'],
  ['Hau Yee', '巧兒', 'FEMALE'],
]

const abroad: readonly (readonly [string, string, Person['gender'], string])[] = [
  ['Priya', 'Nair', 'FEMALE', 'IN'],
  ['Arjun', 'Iyer', 'MALE', 'IN'],
  ['Budi', 'Santoso', 'MALE', 'ID'],
  ['Dewi', 'Lestari', 'FEMALE', 'ID'],
  ['Ji-ho', 'Park', 'MALE', 'KR'],
  ['Min-ji', 'Choi', 'FEMALE', 'KR'],
  ['Maria', 'Santos', 'FEMALE', 'PH'],
  ['Jose', 'Villanueva', 'MALE', 'PH'],
  ['Oliver', 'Hughes', 'MALE', 'GB'],
  ['Emma', 'Fraser', 'FEMALE', 'GB'],
  ['Haruka', 'Tanaka', 'FEMALE', 'JP'],
  ['Wei Ling', 'Tan', 'FEMALE', 'SG'],
]

const companies = [
  'Harbour Lane Logistics Ltd',
  'Kestrel Robotics Ltd',
  'Lotus & Vine Catering Ltd',
  'Northpoint Advisory Ltd',
  'Pearl Delta Trading Co Ltd',
  'Stonecutter Studio Ltd',
] as const

const streets = [
  '12 Nathan Road, Tsim Sha Tsui, Kowloon',
  '88 Queen’s Road Central, Central, Hong Kong',
  '5 Castle Peak Road, Tsuen Wan, New Territories',
  '230 King’s Road, North Point, Hong Kong',
  '41 Argyle Street, Mong Kok, Kowloon',
  '9 Sha Tin Centre Street, Sha Tin, New Territories',
] as const

export function pickPerson(random: Random): Person {
  if (random.chance(22)) {
    const [firstName, lastName, gender, nationality] = random.pick(abroad)
    return { firstName, lastName, chineseName: null, gender, nationality }
  }
  const [lastName, character] = random.pick(surnames)
  const [firstName, characters, gender] = random.pick(givenNames)
  return { firstName, lastName, chineseName: `${character}${characters}`, gender, nationality: 'HK' }
}

export function pickCompany(random: Random): string {
  return random.pick(companies)
}

/** The name in Latin letters: surname first where the holder's own language has it so. */
export function latinName({ firstName, lastName, chineseName, nationality }: Person): string {
  return chineseName || nationality === 'KR' ? `${lastName} ${firstName}` : `${firstName} ${lastName}`
}

export function fullName(person: Person): string {
  return person.chineseName ? `${latinName(person)} ${person.chineseName}` : latinName(person)
}

/** A Hong Kong mobile number, E.164. */
export function pickMobile(random: Random): string {
  return `+852${random.pick(['5', '6', '9'])}${random.digits(7)}`
}

/** A transparent picture of one pixel, in place of a scanned document. */
const scan =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/** The identity form that the account was opened with. */
export function pickIndividual(random: Random, person: Person, yearNow: number): Individual {
  const mail = `${person.firstName}.${person.lastName}`.toLowerCase().replaceAll(/[^a-z.]/g, '-')
  const two = (number: number) => String(number).padStart(2, '0')
  const day = (lowestYear: number, highestYear: number) =>
    `${random.between(lowestYear, highestYear)}-${two(random.between(1, 12))}-${two(random.between(1, 28))}`
  const { firstName, lastName, gender, nationality } = person
  const isResident = nationality === 'HK'
  return {
    firstName,
    lastName,
    dateOfBirth: day(1962, 2003),
    email: `${mail}@example.com`,
    mobile: pickMobile(random),
    occupation: random.pick(occupations).code,
    position: random.pick(positions).code,
    gender,
    nationality,
    address: `Flat ${random.pick(['A', 'B', 'C', 'D'])}, ${random.between(2, 38)}/F, ${random.pick(streets)}`,
    document: {
      type: isResident ? 'HKID' : 'PASSPORT',
      number: isResident
        ? `${random.pick(['K', 'R', 'Y', 'Z'])}${random.digits(6)}(${random.digits(1)})`
        : `P${random.digits(8)}`,
      country: nationality,
      expiryDate: day(yearNow + 2, yearNow + 9),
    },
    ...(!isResident && {
      supportingDocuments: [
        { documentType: 'TRAVEL_PERMIT_FRONT', file: scan },
        { documentType: 'TRAVEL_PERMIT_BACK', file: scan },
      ],
    }),
  }
}

import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { Amount, Xmetadata } from '#lib/contract/fields.ts'
import { cardStatuses, rejectionReasons } from '#lib/contract/terms.ts'
import { atMost } from '#lib/shared/at-most.ts'
import { dayMs } from '#lib/shared/time.ts'
import { type AccountPlan, entry, type EntryPlan } from './plan.ts'

/** Whole cents. */
const amount = Amount.multipleOf(0.01, 'must have two decimals at most').transform((value) => Math.round(value * 100))

const OwnCard = z.strictObject({
  id: z.uuid().optional(),
  status: z.enum(cardStatuses).default('active'),
  last4: z
    .string()
    .regex(/^\d{4}$/, 'must be four digits')
    .optional(),
  xid: z.string().min(1).max(255).optional(),
})

const OwnAccount = z
  .strictObject({
    id: z.uuid().optional(),
    /** A person's name; the last word is the family name. */
    name: z
      .string()
      .max(...atMost(100))
      .regex(/\S \S/, 'must be a first and a last name')
      .optional(),
    company: z.string().min(1).max(100).optional(),
    accountType: z.enum(['prepaid', 'credit']).default('prepaid'),
    currency: z.enum(['HKD', 'USD']).default('HKD'),
    limit: amount.refine((cents) => cents >= 0, 'must not be negative').default(0),
    balance: amount.default(0),
    xid: z.string().min(1).max(255).optional(),
    xmetadata: Xmetadata.nullable().default(null),
    identityStatus: z.enum(['pending', 'approved', 'rejected']).default('approved'),
    cards: z.array(OwnCard).max(8).default([]),
  })
  .refine(({ accountType, limit }) => accountType === 'credit' || limit === 0, {
    path: ['limit'],
    message: 'must be left out: a prepaid account has no limit',
  })

const SeedFile = z
  .strictObject({ cardAccounts: z.array(OwnAccount).max(10_000) })
  .superRefine(({ cardAccounts }, { addIssue }) => {
    const places = new Map<string, string>()
    for (const { name, path, kind } of namesIn(cardAccounts)) {
      const earlier = places.get(`${kind} ${name}`)
      if (earlier === undefined) places.set(`${kind} ${name}`, path.join('.'))
      else addIssue({ code: 'custom', path, message: `${name} is that of ${earlier}, too` })
    }
  })

/** A name that one record alone may have: the id of an account or card, or the xid of either. */
type RecordName = { kind: 'account' | 'card' | 'xid'; name: string; path: (string | number)[] }

type Named = { id?: string | undefined; xid?: string | undefined }

/** The ids and xids that accounts of a seed file give, with their places in it. */
export function namesIn(cardAccounts: readonly (Named & { cards: readonly Named[] })[]): RecordName[] {
  const namesOf = ({ id, xid }: Named, kind: 'account' | 'card', place: (string | number)[]): RecordName[] => [
    ...(id === undefined ? [] : [{ kind, name: id.toLowerCase(), path: [...place, 'id'] }]),
    ...(xid === undefined ? [] : [{ kind: 'xid' as const, name: xid, path: [...place, 'xid'] }]),
  ]
  return cardAccounts.flatMap((account, index) => {
    const place = ['cardAccounts', index]
    const ofCards = account.cards.flatMap((card, at) => namesOf(card, 'card', [...place, 'cards', at]))
    return [...namesOf(account, 'account', place), ...ofCards]
  })
}

/** The accounts of `SANDBOX_SEED_FILE`. Throws an `Error` with a line per mistake, each with its path in the file. */
export function readSeedFile(file: string): AccountPlan[] {
  const mistake = (text: string) => new Error(`SANDBOX_SEED_FILE (${file}): ${text}`)
  let json: unknown
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw mistake(error instanceof Error ? error.message : String(error))
  }
  const parsed = SeedFile.safeParse(json)
  if (!parsed.success) {
    const lines = parsed.error.issues.map(({ path, message }) => [path.join('.') || 'the file', message].join(': '))
    throw mistake(lines.join('\n'))
  }
  return parsed.data.cardAccounts.map(toAccountPlan)
}

const ageMs = 30 * dayMs

function toAccountPlan({
  id,
  name,
  company,
  limit,
  balance,
  xid,
  identityStatus,
  cards,
  ...rest
}: z.output<typeof OwnAccount>): AccountPlan {
  const words = (name ?? 'Chan Tai Man').split(' ')
  const person = {
    firstName: words.slice(0, -1).join(' '),
    lastName: words.at(-1) ?? '',
    chineseName: null,
    gender: 'FEMALE' as const,
    nationality: 'HK',
  }
  return {
    ...rest,
    ...(id === undefined ? {} : { id: id.toLowerCase() }),
    ...(xid === undefined ? {} : { xid }),
    ageMs,
    holder: company === undefined ? { person } : { company },
    limitCents: limit,
    identity: {
      status: identityStatus,
      ...(identityStatus === 'rejected' ? { rejectedReason: rejectionReasons[0] } : {}),
    },
    cards: cards.map(({ id: cardId, status, last4, xid: cardXid }) => ({
      // An older one would have been produced already.
      ageMs: status === 'pending-issue' ? 0 : ageMs - dayMs,
      status,
      product: 'online' as const,
      ...(cardId === undefined ? {} : { id: cardId.toLowerCase() }),
      ...(last4 === undefined ? {} : { last4 }),
      ...(cardXid === undefined ? {} : { xid: cardXid }),
    })),
    entries: openingEntries(balance),
  }
}

/** The one entry that makes the balance. */
function openingEntries(balance: number): EntryPlan[] {
  if (balance === 0) return []
  const entryType = balance > 0 ? ('DEBIT' as const) : ('CREDIT' as const)
  return [entry(ageMs - dayMs, 'other', Math.abs(balance), 'Opening balance', { entryType })]
}

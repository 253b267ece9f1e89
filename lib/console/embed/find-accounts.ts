import 'server-only'
import { and, asc, eq, sql, type SQL } from 'drizzle-orm'
import type { LookUpField } from '#lib/api/embed-view.ts'
import { database } from '#lib/db/connection.ts'
import { requireService } from '#lib/environments/environments.ts'
import { readAccountCoverage } from '#lib/index/accounts-sync.ts'
import { freshenForReader } from '#lib/index/freshness.ts'
import { isSamePhone, phoneTail } from '#lib/index/phone-numbers.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { uniqueIds } from '#lib/shared/ids.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { indexedAccounts as account, indexedCards as card } from '#lib/tables/card-accounts.ts'
import { mostAccountsOfCustomer } from './token.ts'

/** The last digits of a column's phone number. The expression of the indexes on phone numbers. */
const lastDigits = (column: SQL) => sql`right(regexp_replace(${column}, '[^0-9]', '', 'g'), 7)`
const cardEmail = sql<string>`${card.record} ->> 'cardEmail'`
const cardMobile = sql<string>`${card.record} ->> 'mobile'`

/** The ids of the card accounts that match, the oldest account first, as the index has them. */
const finders: Record<LookUpField, (environment: Environment, value: string) => Promise<string[]>> = {
  async xid(environment, value) {
    const rows = await accountsWhere(environment, eq(account.xid, value))
    return rows.map(({ id }) => id)
  },
  async email(environment, value) {
    const rows = await cardsWhere(environment, sql`lower(${cardEmail}) = ${value.toLowerCase()}`)
    return rows.map(({ id }) => id)
  },
  async phone(environment, value) {
    const tail = phoneTail(value)
    const [ofAccounts, ofCards] = await Promise.all([
      accountsWhere(environment, sql`${lastDigits(sql`${account.phoneNumber}`)} = ${tail}`),
      cardsWhere(environment, sql`${lastDigits(cardMobile)} = ${tail}`),
    ])
    return [...ofAccounts, ...ofCards].filter(({ phone }) => isSamePhone(phone ?? '', value)).map(({ id }) => id)
  },
}

function accountsWhere(environment: Environment, condition: SQL) {
  return database()
    .select({ id: account.id, phone: account.phoneNumber })
    .from(account)
    .where(and(eq(account.environment, environment), condition))
    .orderBy(asc(account.createdAt), asc(account.id))
}

/** Cards whose account the index has. */
function cardsWhere(environment: Environment, condition: SQL) {
  return database()
    .select({ id: account.id, phone: cardMobile })
    .from(card)
    .innerJoin(account, and(eq(account.environment, card.environment), eq(account.id, card.cardAccountId)))
    .where(and(eq(card.environment, environment), condition))
    .orderBy(asc(account.createdAt), asc(account.id))
}

const names: Record<LookUpField, string> = { xid: 'xid', email: 'e-mail address', phone: 'phone number' }

/**
 * The ids of the card accounts with this external id, e-mail address or phone number, at most `most`. Throws
 * `CUSTOMER_NOT_FOUND` where there are none and `CUSTOMER_AMBIGUOUS` where there are more. The value is in no message.
 */
export async function findAccounts(
  environment: Environment,
  field: LookUpField,
  value: string,
  most: number,
): Promise<string[]> {
  requireService(environment)
  const find = async () => uniqueIds(await finders[field](environment, value))
  let ids = await find()
  if (ids.length === 0) {
    await freshenForReader(environment)
    ids = await find()
  }
  if (ids.length === 0) {
    const { isComplete } = await readAccountCoverage(environment)
    const next = isComplete ? '' : ' Carddesk is still reading the accounts. Try again in a minute.'
    throw new AppError('CUSTOMER_NOT_FOUND', `No card account has this ${names[field]}.${next}`)
  }
  if (ids.length > most) {
    const next =
      ids.length <= mostAccountsOfCustomer
        ? 'Request the type customer, or name the id.'
        : `A view shows at most ${mostAccountsOfCustomer}. Name the id.`
    throw new AppError('CUSTOMER_AMBIGUOUS', `${ids.length} card accounts have this ${names[field]}. ${next}`)
  }
  return ids
}

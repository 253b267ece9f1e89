import { customType, numeric, pgSchema, timestamp } from 'drizzle-orm/pg-core'
import type { Xmetadata } from '#lib/contract/fields.ts'
import { jsonValue } from '#lib/db/json-value.ts'

export const service = pgSchema('service')

/** Instants in milliseconds, which is what page tokens and the wire carry. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

/** Amounts: exact decimals, text in JavaScript. */
export const money = (name: string) => numeric(name, { precision: 24, scale: 8 })

/** Exchange rates: as many decimals as ten significant digits of a rupiah in pounds need. */
export const exchangeRate = (name: string) => numeric(name, { precision: 30, scale: 16 })

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** xmetadata: an object, a text or an array of texts, as it was given. */
export const xmetadata = () => jsonValue('xmetadata').$type<Xmetadata>()

import { createParser } from 'nuqs/server'
import { isServiceId } from '#lib/shared/ids.ts'

/** An id of the service: opaque text, as it was sent. */
export const parseAsServiceId = createParser({
  parse: (text) => (isServiceId(text) ? text : null),
  serialize: (id: string) => id,
})

/** A day that exists, as `YYYY-MM-DD`. */
export const parseAsDay = createParser({
  parse: (text) => {
    const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))
    return isDay && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text) ? text : null
  },
  serialize: (day: string) => day,
})

import { type PageZone, zoneOfCookie } from './time-format.ts'

export type Theme = 'system' | 'light' | 'dark'
/** Rows of 40 or of 32 pixels. */
export type Density = 'base' | 'dense'

/** A person's settings of the screen, stored in cookies, so that the server renders them without a flash. */
export type Preferences = {
  theme: Theme
  zone: PageZone
  density: Density
  /** By table: the ids of the columns to show. A table that is not here shows its columns by priority. */
  columns: Record<string, string[]>
}

export const preferenceCookies = {
  theme: 'carddesk-theme',
  zone: 'carddesk-zone',
  density: 'carddesk-density',
  columns: 'carddesk-columns',
} as const

const columnListPattern = /^[\w-]+:[\w.-]*$/

/** `accounts:name.balance~fees:amount`: text that a cookie carries as it is. Malformed parts are left out. */
function readColumns(text: string | undefined): Record<string, string[]> {
  const lists = (text ?? '').split('~').filter((part) => columnListPattern.test(part))
  return Object.fromEntries(
    lists.map((part): [string, string[]] => {
      const [table = '', columns = ''] = part.split(':')
      return [table, columns.split('.').filter((id) => id !== '')]
    }),
  )
}

export function cookieOfColumns(columns: Record<string, string[]>): string {
  return Object.entries(columns)
    .map(([table, ids]) => `${table}:${ids.join('.')}`)
    .join('~')
}

/** Where people come by https, a browser binds a cookie with this prefix to the console's very host. */
export const hostPrefix = '__Host-'

/** The preferences in a request's cookies; missing or malformed ones have their defaults. */
export function readPreferences(readCookie: (name: string) => string | undefined): Preferences {
  const cookie = (name: string) => readCookie(`${hostPrefix}${name}`) ?? readCookie(name)
  const theme = cookie(preferenceCookies.theme)
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    zone: zoneOfCookie(cookie(preferenceCookies.zone)),
    density: cookie(preferenceCookies.density) === 'dense' ? 'dense' : 'base',
    columns: readColumns(cookie(preferenceCookies.columns)),
  }
}

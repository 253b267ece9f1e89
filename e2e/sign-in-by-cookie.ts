import type { Page } from '@playwright/test'
import { roles, type Role } from '#lib/auth/permissions.ts'

/** The demo staff: one person of each role, and another admin. */
export type DemoPerson = Role | 'second admin'

/** The demo staff have the same ids in every installation, in the order of the roles. */
function staffIdOf(person: DemoPerson): string {
  return `5d1c7a52-0000-4000-8000-00000000000${[...roles, 'second admin'].indexOf(person) + 1}`
}

/** Signs in at the console that the page's context leads to. */
export async function signInByCookie(page: Page, role: DemoPerson): Promise<void> {
  const staffId = staffIdOf(role)
  const { request } = page.context()
  const csrf = (await (await request.get('/api/auth/csrf')).json()) as { csrfToken: string }
  const response = await request.post('/api/auth/callback/demo', {
    form: { csrfToken: csrf.csrfToken, staffId },
    maxRedirects: 0,
  })
  if (response.status() !== 302) throw new Error(`signing in as ${role} returned ${response.status()}`)
}

/** Another person signs in while the page is open, and the page does not notice: what is open there is the first one's. */
export async function signInUnnoticed(page: Page, role: DemoPerson): Promise<void> {
  await page.route('**/api/session/activity', (route) => route.fulfill({ status: 503, body: '' }))
  await signInByCookie(page, role)
}

/** Signs in without a browser. Returns what goes into the `cookie` header. */
export async function signInCookie(baseURL: string, role: DemoPerson): Promise<string> {
  const staffId = staffIdOf(role)
  const csrf = await fetch(`${baseURL}/api/auth/csrf`)
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }
  const response = await fetch(`${baseURL}/api/auth/callback/demo`, {
    method: 'POST',
    headers: { cookie: pairsOf(csrf) },
    body: new URLSearchParams({ csrfToken, staffId }),
    redirect: 'manual',
  })
  if (response.status !== 302) throw new Error(`signing in as ${role} returned ${response.status}`)
  return pairsOf(response)
}

function pairsOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

import 'server-only'
import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { cookies } from 'next/headers'
import { recordAudit } from '#lib/audit/chain.ts'
import { isFromOwnPage } from '#lib/audit/request-origin.ts'
import { database } from '#lib/db/connection.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { returnPath, routes } from '#lib/shared/routes.ts'
import { withSanitizedErrors } from '#lib/shared/sanitized-errors.ts'
import { escapeHtml } from '#lib/shared/texts.ts'
import { staff } from '#lib/tables/staff.ts'
import { providerSignOut, type ProviderSignOut } from './provider.ts'
import { currentSession, revokeSession } from './session.ts'
import { sessionCookieName, sessionCookieOptions } from './token.ts'

/**
 * Signs the person of a posted form out: the session ends on the server, the cookie goes, and the browser clears its cache of the
 * console. The response leads to the sign-in page; where the provider has a sign-out, through it. A form with `returnTo` leads
 * back there once the provider has authenticated the person again. Returns 403 for a form of another site.
 */
export async function signOut(request: Request): Promise<Response> {
  if (!isFromOwnPage(request, 'a sign-out')) {
    return new Response('Sign out on a page of the console.', { status: 403, headers: { 'cache-control': 'no-store' } })
  }
  return withSanitizedErrors(async () => {
    const backTo = new URLSearchParams(await request.text()).get('returnTo')
    const ended = await endCurrentSession()
    const signIn = routes.signIn(backTo === null ? {} : { callbackUrl: returnPath(backTo), fresh: 'on' })
    const leadsOn = ended !== null && backTo === null && consoleSettings().oidc !== null
    const provider = leadsOn ? await providerSignOut(ended.idToken, `${consoleSettings().consoleUrl}${signIn}`) : null
    const headers = { 'cache-control': 'no-store', 'clear-site-data': '"cache"' }
    return provider
      ? leadTo(provider, headers)
      : new Response(null, { status: 303, headers: { ...headers, location: signIn } })
  })
}

type Ended = { idToken: string | null }

/** Ends the session of this request and takes its cookie away. Null where it was over. */
async function endCurrentSession(): Promise<Ended | null> {
  const session = await currentSession()
  const ended = session && (await endSession(session.sessionId))
  const settings = consoleSettings()
  const jar = await cookies()
  jar.set(sessionCookieName(settings), '', { ...sessionCookieOptions(settings), maxAge: 0 })
  return ended
}

/** Returns the session's ID token, where it stores one; null where it was over. */
export async function endSession(sessionId: string): Promise<Ended | null> {
  const ended = await revokeSession(database(), sessionId)
  if (ended) await auditSession('sign-out', ended.staffId)
  return ended
}

/**
 * A page that goes on to the provider by itself. Not a redirect: browsers hold the one after a form to the policy of the page
 * before, and a provider may lead on to others. The ID token names a person, so it goes in a form and is in no URL.
 */
function leadTo({ method, url, fields }: ProviderSignOut, headers: Record<string, string>): Response {
  const nonce = randomBytes(16).toString('base64')
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    // The provider leads back here.
    `form-action 'self' ${new URL(url).origin}`,
    "frame-ancestors 'none'",
  ]
  const target = new URL(url)
  for (const [name, value] of Object.entries(fields)) target.searchParams.set(name, value)
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  )
  const way =
    method === 'get'
      ? `<meta http-equiv="refresh" content="0; url=${escapeHtml(target.href)}">
<a href="${escapeHtml(target.href)}">Sign out</a>`
      : `<form method="post" action="${escapeHtml(url)}">${inputs.join('')}<button>Sign out</button></form>
<script nonce="${nonce}">document.forms[0].submit()</script>`
  const page = `<!doctype html>
<html lang="en">
<title>Signing out · Carddesk</title>
${way}
</html>
`
  return new Response(page, {
    headers: { ...headers, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy.join('; ') },
  })
}

/** Audits that a person's session began or ended. */
export async function auditSession(act: 'sign-in' | 'sign-out', staffId: string): Promise<void> {
  const db = database()
  const [by] = await db
    .select({ id: staff.id, name: staff.name, role: staff.role })
    .from(staff)
    .where(eq(staff.id, staffId))
  if (by) await recordAudit(db, { by, environment: null, act, target: null, outcome: 'done' })
}

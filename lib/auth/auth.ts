import 'server-only'
import { randomUUID } from 'node:crypto'
import NextAuth from 'next-auth'
import type { NextRequest } from 'next/server'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { logFailure } from '#lib/shared/log.ts'
import { routes } from '#lib/shared/routes.ts'
import { withSanitizedErrors } from '#lib/shared/sanitized-errors.ts'
import { openedFrom } from './device.ts'
import { discoverProvider } from './provider.ts'
import { auditUnfinishedSignIn, signInOptions } from './sign-in.ts'

/** The requests to next-auth that a sign-in makes. It knows others, one of which writes anybody's text into the log. */
function requestsOfSignIn(): readonly string[] {
  return consoleSettings().oidc
    ? ['GET csrf', 'POST signin/oidc', 'GET callback/oidc', 'GET error']
    : ['GET csrf', 'POST callback/demo']
}

/** Steps in which next-auth reads the provider's discovery document. It doesn't compare the issuer with the settings': `discoverProvider` does. */
const stepsAtProvider = new Set(['signin/oidc', 'callback/oidc'])

/**
 * Why a step is not taken: the provider sends no code, for which next-auth would take an ID token in the address; or its discovery
 * document cannot be read or is of another issuer than the settings name. Null where it is.
 */
async function findProviderProblem(
  step: string,
  { nextUrl }: NextRequest,
): Promise<'OAuthCallback' | 'OAuthSignin' | null> {
  if (!stepsAtProvider.has(step)) return null
  if (step === 'callback/oidc' && !nextUrl.searchParams.has('code')) return 'OAuthCallback'
  try {
    await discoverProvider()
    return null
  } catch (error) {
    logFailure(error, { while: 'reading the discovery document of the OpenID provider' })
    return 'OAuthSignin'
  }
}

type Context = { params: Promise<{ nextauth: string[] }> }

/**
 * The routes of next-auth that the product uses; the others are 404. A way on within the console is given without a host, since a person may have opened the console
 * under another name of this machine than its settings have, and would lose the cookie there.
 */
export async function handleAuth(request: NextRequest, context: Context): Promise<Response> {
  const step = (await context.params).nextauth.join('/')
  if (!requestsOfSignIn().includes(`${request.method} ${step}`))
    return new Response('Not found', { status: 404, headers: { 'cache-control': 'no-store' } })
  const from = openedFrom(request.headers)
  const error = await findProviderProblem(step, request)
  const handled =
    error !== null
      ? new Response(null, { status: 302, headers: { location: routes.signIn({ error }) } })
      : await withSanitizedErrors(async () => (await NextAuth(request, context, signInOptions(from))) as Response)
  const response = new Response(handled.body, handled)
  const location = response.headers.get('location')
  const own = `${new URL(consoleSettings().consoleUrl).origin}/`
  if (location?.startsWith(own)) response.headers.set('location', location.slice(own.length - 1))
  const isFromProvider = step === 'callback/oidc'
  // A person who is not admitted, or whose sign-in was too old or too weak, has an audit entry already, with the identity.
  if (isFromProvider && /[?&]error=(?!AccessDenied|SIGN_IN_)/.test(location ?? ''))
    await auditUnfinishedSignIn(request.headers)
  response.headers.set('x-request-id', randomUUID())
  response.headers.set('cache-control', 'no-store')
  return response
}

import 'server-only'
import { cookies, headers } from 'next/headers'
import { NextRequest, NextResponse } from 'next/server'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { connectionHeader } from '#lib/shared/connections.ts'
import { makePath, returnPath, routes, type Search } from '#lib/shared/routes.ts'
import { handleAuth } from './auth.ts'

/**
 * Signs in from a posted form: `staffId` in demo mode, with an identity provider `fresh` where it has to authenticate the
 * person again, `returnTo` for the way on.
 * Goes through next-auth's own handler, whose response sets the cookies, and returns where to go next. A form with an action
 * works before any script has loaded, and Next refuses it from another origin.
 */
export async function submitSignIn(form: FormData): Promise<string> {
  const isDemo = consoleSettings().oidc === null
  const returnTo = returnPath(readText(form, 'returnTo'))
  const csrf = await callNextAuth(['csrf'], null)
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }
  const path = isDemo ? ['callback', 'demo'] : ['signin', 'oidc']
  const prompt = readText(form, 'fresh') === 'on' && !isDemo ? 'login' : null
  const fields = { csrfToken, callbackUrl: returnTo, staffId: readText(form, 'staffId') }
  const response = await callNextAuth(path, fields, { prompt })
  const location = response.headers.get('location')
  return location ?? routes.signIn({ error: 'Callback', callbackUrl: returnTo })
}

function readText(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

/** One step of next-auth; the cookies of its response go to the browser and into the next step. */
async function callNextAuth(
  segments: string[],
  form: Record<string, string> | null,
  search: Search = {},
): Promise<Response> {
  const jar = await cookies()
  const incoming = await headers()
  const request = new NextRequest(
    new URL(makePath(['api', 'auth', ...segments], search), consoleSettings().consoleUrl),
    {
      method: form ? 'POST' : 'GET',
      headers: {
        cookie: jar.toString(),
        [connectionHeader]: incoming.get(connectionHeader) ?? '',
        'user-agent': incoming.get('user-agent') ?? '',
        'x-forwarded-for': incoming.get('x-forwarded-for') ?? '',
        ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      },
      body: form ? new URLSearchParams(form).toString() : null,
    },
  )
  const response = await handleAuth(request, { params: Promise.resolve({ nextauth: segments }) })
  for (const cookie of new NextResponse(null, { headers: response.headers }).cookies.getAll()) jar.set(cookie)
  return response
}

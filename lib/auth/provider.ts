import 'server-only'
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { createCache } from '#lib/shared/cache.ts'
import { globalSingleton } from '#lib/shared/global-singleton.ts'
import { logFailure } from '#lib/shared/log.ts'
import { readBounded } from '#lib/shared/read-bounded.ts'
import { withoutTrailingSlashes } from '#lib/shared/texts.ts'
import { minuteMs, secondMs } from '#lib/shared/time.ts'

const Metadata = z.object({
  issuer: z.string(),
  jwks_uri: z.url(),
  end_session_endpoint: z.url().optional(),
})

/** The keys and the sign-out endpoint of the provider's discovery document. */
export type Provider = { issuer: string; clientId: string; endSessionEndpoint: string | null; keys: JWTVerifyGetKey }

const providers = globalSingleton('carddeskProvider', () => createCache(1))
const freshMs = 10 * minuteMs
const timeoutMs = 5 * secondMs
const mostBytes = 1024 * 1024

/** The provider of the settings. Throws where none is set, it does not respond, or it calls itself another issuer. */
export async function discoverProvider(): Promise<Provider> {
  const { oidc } = consoleSettings()
  if (!oidc) throw new Error('no OpenID provider is set')
  return providers().fetch(
    oidc.issuer,
    () => discover(oidc),
    () => freshMs,
  )
}

/** The address of an issuer's discovery document (OpenID Connect Discovery 1.0, section 4). */
export function discoveryUrl({ issuer }: { issuer: string }): string {
  return `${withoutTrailingSlashes(issuer)}/.well-known/openid-configuration`
}

async function discover(oidc: { issuer: string; clientId: string }): Promise<Provider> {
  const response = await fetchWhole(discoveryUrl(oidc), {
    signal: AbortSignal.timeout(timeoutMs),
    redirect: 'error',
    cache: 'no-store',
  })
  const metadata = Metadata.parse(await response.json())
  if (metadata.issuer !== oidc.issuer) throw new Error('the discovery document is of another issuer')
  return {
    issuer: metadata.issuer,
    clientId: oidc.clientId,
    endSessionEndpoint: metadata.end_session_endpoint ?? null,
    keys: createRemoteJWKSet(new URL(metadata.jwks_uri), { timeoutDuration: timeoutMs, [customFetch]: fetchWhole }),
  }
}

/** The response with all of its body. Throws where that has more than 1 MiB, unpacked. */
async function fetchWhole(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options)
  const body = await readBounded(response, mostBytes)
  if (!body) throw new Error('the OpenID provider’s response is too large')
  return new Response(body, { status: response.status })
}

/** Where the browser signs out of the provider too (RP-initiated logout), which leads back. */
export type ProviderSignOut = { method: 'get' | 'post'; url: string; fields: Record<string, string> }

/**
 * Without the ID token no URL has it. Null where the provider has no sign-out or does not respond: the session here is over in
 * any case.
 */
export async function providerSignOut(idToken: string | null, returnTo: string): Promise<ProviderSignOut | null> {
  try {
    const { endSessionEndpoint: url, clientId } = await discoverProvider()
    if (url === null) return null
    const fields = { client_id: clientId, post_logout_redirect_uri: returnTo }
    return idToken === null
      ? { method: 'get', url, fields }
      : { method: 'post', url, fields: { ...fields, id_token_hint: idToken } }
  } catch (error) {
    logFailure(error, { while: 'finding the sign-out of the OpenID provider' })
    return null
  }
}

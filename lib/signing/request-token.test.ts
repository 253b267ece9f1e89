import { createHmac, type KeyObject, sign } from 'node:crypto'
import * as fc from 'fast-check'
import { decodeJwt, jwtVerify, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { emptyBodySha256, sha256Hex } from './digest.ts'
import { readPrivateKey, readPublicKey } from './keys.ts'
import { signRequest, type SignedRequest, verifyRequest } from './request-token.ts'
import { otherTestKeyPair } from './testing.ts'
import vectors from './vectors/request-tokens.json' with { type: 'json' }

const { accessKey } = vectors
const privateKey = readPrivateKey(vectors.privateKey)
const publicKey = readPublicKey(vectors.publicKey)
const findPublicKey = (key: string) => (key === accessKey ? publicKey : undefined)
const now = 1_790_000_000
const request: SignedRequest = {
  method: 'POST',
  uri: '/service/v1/cards/unlock?a=1',
  body: Buffer.from('{"cardId":"陳"}'),
  now,
}

function verify(token: string, changes: Partial<SignedRequest> = {}) {
  return verifyRequest({ ...request, ...changes, token, findPublicKey })
}

/** A token of any claims and header, made with jose and not with the code under test. */
function tokenOf(claims: Record<string, unknown>, header: Record<string, unknown> = {}, key: KeyObject = privateKey) {
  const { method, uri, body } = request
  const right = { sub: accessKey, uri, method, body: sha256Hex(body ?? ''), iat: now, exp: now + 25 }
  return new SignJWT({ ...right, ...claims }).setProtectedHeader({ alg: 'RS256', ...header }).sign(key)
}

describe('verifyRequest', () => {
  test.each(vectors.cases)('verifies the token made with openssl: $name → $expect', async (vector) => {
    const { token, method, uri, now } = vector
    const body = vector.body === null ? null : Buffer.from(vector.body)
    const verified = await verifyRequest({ token, method, uri, body, now, findPublicKey })
    expect(verified.ok ? 'ok' : verified.error.code).toBe(vector.expect)
    if (verified.ok) expect(verified.value).toMatchObject({ accessKey })
  })

  test.each([
    ['uri', { uri: '/service/v1/cards/lock' }],
    ['method', { method: 'GET' }],
    ['body', { body: Buffer.from('{}') }],
  ] as const)('names the claim %s where it is the one that differs, and no other', async (name, change) => {
    const verified = await verify(await signRequest({ ...request, accessKey, privateKey }), change)
    expect(verified).toMatchObject({ ok: false, error: { code: 'INVALID_SIGNATURE' } })
    const named = ['uri', 'method', 'body'].filter(
      (claim) => !verified.ok && verified.error.message.includes(`claim ${claim} is`),
    )
    expect(named).toEqual([name])
    expect(verified.ok || verified.error.message).toMatch(/^JWT signature verification failed/)
  })

  test('names every claim that differs at once', async () => {
    const verified = await verify(await tokenOf({ uri: 7, method: 'post', body: null }))
    expect(verified.ok || verified.error.message).toMatch(
      /claim uri is no text.*claim method is "post".*claim body is no text/,
    )
  })

  test('accepts an empty body with no claim, and refuses a claim body of another kind there', async () => {
    const empty = { body: new Uint8Array() }
    expect((await verify(await tokenOf({ body: undefined }), empty)).ok).toBe(true)
    expect((await verify(await tokenOf({ body: emptyBodySha256 }), { body: null })).ok).toBe(true)
    for (const body of ['', null, emptyBodySha256.toUpperCase()]) {
      expect(await verify(await tokenOf({ body }), empty)).toMatchObject({ error: { code: 'INVALID_SIGNATURE' } })
    }
  })

  test.each([
    ['an iat 5 s ahead', { iat: now + 5, exp: now + 30 }, 'ok'],
    ['an iat 6 s ahead', { iat: now + 6, exp: now + 30 }, 'TOKEN_EXPIRED'],
    ['an exp 4 s past', { iat: now - 29, exp: now - 4 }, 'ok'],
    ['an exp past by the whole leeway', { iat: now - 30, exp: now - 5 }, 'TOKEN_EXPIRED'],
    ['a lifetime of 30 s', { exp: now + 30 }, 'ok'],
    ['a lifetime of 30.5 s', { exp: now + 30.5 }, 'TOKEN_EXPIRED'],
    ['no iat', { iat: undefined }, 'TOKEN_EXPIRED'],
    ['an exp in words', { exp: 'tomorrow' }, 'TOKEN_EXPIRED'],
    ['an iat of null', { iat: null }, 'TOKEN_EXPIRED'],
    ['an exp before its iat', { iat: now + 4, exp: now - 3 }, 'TOKEN_EXPIRED'],
  ])('responds to %s with %s → %s', async (_, claims, expected) => {
    const token = await tokenOfRaw(claims)
    const verified = await verify(token)
    expect(verified.ok ? 'ok' : verified.error.code).toBe(expected)
  })

  test('names by how much a token is late on the clock of the service', async () => {
    const verified = await verify(await signRequest({ ...request, accessKey, privateKey }), { now: now + 67 })
    expect(verified.ok || verified.error.message).toBe(
      'Authentication failed: the token expired 42 s ago by the service’s clock',
    )
  })

  test.each([
    '',
    'x',
    'a.b.c',
    '..',
    'eyJhbGciOiJSUzI1NiJ9..',
    'eyJhbGciOiJSUzI1NiJ9.W10.AA',
    'W10.e30.AA',
    '\0.\0.\0',
    'a.b.c.d.e',
  ])('refuses the unreadable token %j with INVALID_ACCESS_KEY', async (token) => {
    expect(await verify(token)).toMatchObject({ ok: false, error: { code: 'INVALID_ACCESS_KEY' } })
  })

  test.each([undefined, null, 7, '', 'nobody', `${accessKey} `, `${accessKey}\n`])(
    'refuses the subject %j with INVALID_ACCESS_KEY and asks for no key',
    async (sub) => {
      let requested = 0
      const token = await tokenOfRaw({ sub })
      const verified = await verifyRequest({ ...request, token, findPublicKey: () => (requested++, publicKey) })
      expect(verified).toMatchObject({ ok: false, error: { code: 'INVALID_ACCESS_KEY' } })
      expect(requested).toBe(0)
    },
  )

  test('a body that was not read yet is verified afterwards', async () => {
    const { body, ...rest } = request
    const token = await signRequest({ ...request, accessKey, privateKey })
    const verified = await verifyRequest({ ...rest, body: undefined, token, findPublicKey })
    if (!verified.ok) throw new Error(verified.error.message)
    expect(verified.value.verifyBody(body)).toBeNull()
    const other = verified.value.verifyBody(Buffer.from('{"other":1}'))
    expect(other).toMatchObject({ code: 'INVALID_SIGNATURE', message: expect.stringContaining('the claim body') })
  })

  test('accepts an access key in upper and lower case', async () => {
    expect(await verify(await tokenOf({ sub: accessKey.toUpperCase() }))).toMatchObject({
      ok: true,
      value: { accessKey },
    })
  })

  test('verifies the signature before the claims, so that a forger gets no information about them', async () => {
    const forger = readPrivateKey(otherTestKeyPair.privateKey)
    const verified = await verify(await tokenOf({ uri: '/x', exp: 1 }, {}, forger))
    expect(verified.ok || verified.error.message).toBe(
      'JWT signature verification failed: the signature is not of this access key’s key pair',
    )
  })

  test('refuses every other algorithm with INVALID_SIGNATURE, well made or not', async () => {
    for (const alg of ['RS384', 'RS512', 'PS256']) {
      const token = await new SignJWT({ sub: accessKey }).setProtectedHeader({ alg }).sign(privateKey)
      expect(await verify(token)).toMatchObject({ ok: false, error: { code: 'INVALID_SIGNATURE' } })
    }
    const claims = (await tokenOf({})).split('.')[1] ?? ''
    for (const header of [{ alg: 'HS256' }, { alg: 'none' }, { alg: 'rs256' }, {}]) {
      const signed = `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${claims}`
      const mac = createHmac('sha256', vectors.publicKey).update(signed).digest('base64url')
      expect(await verify(`${signed}.${mac}`)).toEqual({
        ok: false,
        error: {
          code: 'INVALID_SIGNATURE',
          message: 'JWT signature verification failed: the algorithm must be RS256',
        },
      })
    }
  })

  test('refuses a critical extension that it does not know (RFC 7515, 4.1.11)', async () => {
    const header = Buffer.from(JSON.stringify({ alg: 'RS256', crit: ['x'], x: 1 })).toString('base64url')
    const signed = `${header}.${(await tokenOf({})).split('.')[1]}`
    const token = `${signed}.${sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64url')}`
    expect(await verify(token)).toMatchObject({ ok: false, error: { code: 'INVALID_SIGNATURE' } })
  })

  test('lets an error of the key lookup through, so that an outage is not a wrong key', async () => {
    const token = await tokenOf({})
    const findPublicKey = () => Promise.reject(new Error('the database is away'))
    await expect(verifyRequest({ ...request, token, findPublicKey })).rejects.toThrow('the database is away')
  })
})

describe('signRequest', () => {
  test('makes the decided claims and no others, and jose accepts the token', async () => {
    const token = await signRequest({ ...request, method: 'post', now: now + 0.9, accessKey, privateKey })
    const { protectedHeader, payload } = await jwtVerify(token, publicKey, { currentDate: new Date(now * 1000) })
    expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT' })
    expect(payload).toEqual({
      sub: accessKey,
      uri: request.uri,
      method: 'POST',
      body: sha256Hex('{"cardId":"陳"}'),
      iat: now,
      exp: now + 25,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  test('makes another token, with another id, of the same request in the same second', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 20 }, () => signRequest({ ...request, accessKey, privateKey })),
    )
    const ids = await Promise.all(
      tokens.map(async (token) => {
        const verified = await verify(token)
        return verified.ok && verified.value.token.id
      }),
    )
    expect(new Set(ids).size).toBe(20)
  })

  test('sends the hash of the empty string where there is no body', async () => {
    const token = await signRequest({ ...request, body: null, accessKey, privateKey })
    expect(decodeJwt(token).body).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  })

  test('does not block the event loop while signing', async () => {
    let turns = 0
    let isSigning = true
    const turn = () => {
      turns += 1
      if (isSigning) setImmediate(turn)
    }
    setImmediate(turn)
    await Promise.all(Array.from({ length: 200 }, () => signRequest({ ...request, accessKey, privateKey })))
    isSigning = false
    // Signatures made at once would leave no turn to anything else.
    expect(turns).toBeGreaterThan(0)
  })
})

describe('signing and verifying together', () => {
  const requests = fc.record({
    method: fc.constantFrom('GET', 'POST'),
    uri: fc.webPath().map((path) => `/service/v1${path}`),
    body: fc.option(fc.uint8Array({ maxLength: 300 })),
    now: fc.integer({ min: 1_700_000_000, max: 4_000_000_000 }),
  })

  test('a signed request verifies until its token expires', async () => {
    await fc.assert(
      fc.asyncProperty(requests, fc.integer({ min: -5, max: 29 }), async (request, laterSeconds) => {
        const token = await signRequest({ ...request, accessKey, privateKey })
        const now = request.now + laterSeconds
        expect(await verifyRequest({ ...request, now, token, findPublicKey })).toMatchObject({
          ok: true,
          value: { accessKey, token: { deadAt: request.now + 30 } },
        })
      }),
      { numRuns: 200 },
    )
  })

  test('any other method, uri or body is refused with INVALID_SIGNATURE', async () => {
    await fc.assert(
      fc.asyncProperty(requests, requests, async (signed, sent) => {
        const token = await signRequest({ ...signed, accessKey, privateKey })
        for (const change of [{ method: sent.method }, { uri: sent.uri }, { body: sent.body }]) {
          const request = { ...signed, ...change }
          const isSame =
            request.method === signed.method && request.uri === signed.uri && sameBytes(request.body, signed.body)
          const verified = await verifyRequest({ ...request, token, findPublicKey })
          expect(verified.ok ? 'ok' : verified.error.code).toBe(isSame ? 'ok' : 'INVALID_SIGNATURE')
        }
      }),
      { numRuns: 200 },
    )
  })

  test('any changed character of a token is refused, the spare bits of its last one included', async () => {
    const token = await signRequest({ ...request, accessKey, privateKey })
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \0é'
    const last = token.length - 1
    const changes = [
      ...[...alphabet].map((character) => [last, character] as const),
      ...fc.sample(fc.tuple(fc.nat(last), fc.constantFrom(...alphabet)), 500),
    ].filter(([index, character]) => token[index] !== character)
    for (const [index, character] of changes) {
      const changed = token.slice(0, index) + character + token.slice(index + 1)
      expect((await verify(changed)).ok, `character ${index} as ${JSON.stringify(character)}`).toBe(false)
    }
    for (const changed of [`${token}=`, `${token} `, ` ${token}`, `${token}.`, token.slice(0, -1)]) {
      expect((await verify(changed)).ok).toBe(false)
    }
  })
})

/** Claims whose types SignJWT would refuse to sign. */
async function tokenOfRaw(claims: Record<string, unknown>): Promise<string> {
  const { CompactSign } = await import('jose')
  const { method, uri, body } = request
  const right = { sub: accessKey, uri, method, body: sha256Hex(body ?? ''), iat: now, exp: now + 25 }
  return new CompactSign(Buffer.from(JSON.stringify({ ...right, ...claims })))
    .setProtectedHeader({ alg: 'RS256' })
    .sign(privateKey)
}

function sameBytes(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return Buffer.from(one ?? []).equals(Buffer.from(other ?? []))
}

import { expect, test } from 'vitest'
import { signAuthorization } from './authorization.ts'
import { readPrivateKey, readPublicKey } from './keys.ts'
import { verifyRequest } from './request-token.ts'
import { testKeyPair } from './testing.ts'

const accessKey = '3f0c9a52-7f0e-4b7e-9d5e-0f6f2f3a1b77'
const request = { method: 'POST', uri: '/v1/cards/lock', body: Buffer.from('{}'), now: 1_790_000_000 }

test('with a private key a request is signed, without one it has the access key and an empty password', async () => {
  const signed = await signAuthorization({ ...request, accessKey, privateKey: readPrivateKey(testKeyPair.privateKey) })
  const token = signed.replace(/^Bearer /, '')
  const verified = await verifyRequest({ ...request, token, findPublicKey: () => readPublicKey(testKeyPair.publicKey) })
  expect(verified).toMatchObject({ ok: true, value: { accessKey } })

  const [scheme, credentials = ''] = (await signAuthorization({ ...request, accessKey, privateKey: null })).split(' ')
  expect([scheme, Buffer.from(credentials, 'base64').toString()]).toEqual(['Basic', `${accessKey}:`])
})

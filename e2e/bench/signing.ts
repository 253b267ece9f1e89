import { generateKeyPairSync, randomUUID, subtle, type KeyObject } from 'node:crypto'
import { strongBits } from '#lib/signing/keys.ts'
import { signRequest } from '#lib/signing/request-token.ts'
import type { Desk } from './desk.ts'
import { share, type Figure } from './figure.ts'
import { connections } from './load.ts'

const extents = { whole: { roundMs: 1_000, rounds: 4 }, short: { roundMs: 20, rounds: 1 } }

/**
 * Request tokens for each second of a core, beside a loop of raw signatures by what `jose` signs with, WebCrypto, with the same key, in turns. Both count the
 * processor time of the program itself, so that neighbours do not matter.
 */
export async function measureSigning({ extent }: Desk): Promise<Figure[]> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: strongBits })
  const { roundMs, rounds } = extents[extent]
  const perSecond = { raw: 0, token: 0 }
  for (let round = 0; round <= rounds; round += 1) {
    for (const kind of ['raw', 'token'] as const) {
      const rate = await perCoreSecond(roundMs, kind === 'raw' ? rawSigner(privateKey) : tokenSigner(privateKey))
      // The first round warms up.
      if (round > 0) perSecond[kind] += rate / rounds
    }
  }
  const reference = { name: `raw RSA-${strongBits} signatures`, perSecond: perSecond.raw }
  return [share('request tokens a core', perSecond.token, reference, 0.9)]
}

function rawSigner(privateKey: KeyObject): () => Promise<unknown> {
  const content = Buffer.alloc(300)
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const key = privateKey.toCryptoKey(algorithm, false, ['sign'])
  return () => subtle.sign(algorithm, key, content)
}

function tokenSigner(privateKey: KeyObject): () => Promise<unknown> {
  const accessKey = randomUUID()
  const body = Buffer.from(JSON.stringify({ cardAccountId: randomUUID(), cardId: randomUUID() }))
  const request = { accessKey, privateKey, method: 'POST', uri: '/service/v1/cards/lock', body, now: Date.now() / 1000 }
  return () => signRequest(request)
}

async function perCoreSecond(ms: number, signOnce: () => Promise<unknown>): Promise<number> {
  const end = performance.now() + ms
  const before = process.cpuUsage()
  let signed = 0
  const signer = async () => {
    while (performance.now() < end) {
      await signOnce()
      signed += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, signer))
  const { user, system } = process.cpuUsage(before)
  return signed / ((user + system) / 1e6)
}

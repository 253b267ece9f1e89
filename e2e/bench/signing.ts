import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { strongBits } from '#lib/signing/keys.ts'
import { signRequest } from '#lib/signing/request-token.ts'
import { share, type Figure } from './figure.ts'
import { connections } from './load.ts'

const measuredMs = 5_000

/**
 * Request tokens for each second of a core, beside OpenSSL's bare signatures with a key of the same size. Both count the
 * processor time of the program itself, so that neighbours do not matter.
 */
export async function measureSigning(): Promise<Figure[]> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: strongBits })
  const accessKey = randomUUID()
  const body = Buffer.from(JSON.stringify({ cardAccountId: randomUUID(), cardId: randomUUID() }))
  const request = { accessKey, privateKey, method: 'POST', uri: '/service/v1/cards/lock', body, now: Date.now() / 1000 }

  async function signFor(ms: number): Promise<number> {
    const end = Date.now() + ms
    let signed = 0
    const signer = async () => {
      while (Date.now() < end) {
        await signRequest(request)
        signed += 1
      }
    }
    await Promise.all(Array.from({ length: connections }, signer))
    return signed
  }

  await signFor(1_000)
  const reference = opensslSignaturesPerSecond()
  const before = process.cpuUsage()
  const signed = await signFor(measuredMs)
  const used = process.cpuUsage(before)
  const perSecond = signed / (used.user / 1e6)
  return [share('request tokens a core', perSecond, { name: 'openssl speed rsa3072', perSecond: reference }, 0.9)]
}

function opensslSignaturesPerSecond(): number {
  const report = execFileSync('openssl', ['speed', '-seconds', '5', 'rsa3072'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const line = /^rsa +3072 bits +\S+ +\S+ +([\d.]+)/m.exec(report.toString())
  if (!line) throw new Error('openssl speed rsa3072 printed no line for 3072 bits')
  return Number(line[1])
}

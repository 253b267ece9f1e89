import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { providerAgent } from './provider-agent.ts'

/** Reads from a provider that responds so, as next-auth does. Returns what came. */
async function readFrom(respond: (response: ServerResponse) => void, bounds?: { timeoutMs: number; bytes: number }) {
  const server = createServer((_request, response) => respond(response)).listen(0, '127.0.0.1')
  onTestFinished(() => void server.closeAllConnections())
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [response] = (await once(get(issuer, { agent: providerAgent(issuer, bounds) }), 'response')) as [
    IncomingMessage,
  ]
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return text
}

test('a response that comes is read to its end', async () => {
  expect(await readFrom((response) => response.end('{}'))).toBe('{}')
})

test.each<[string, (response: ServerResponse) => void]>([
  ['stalls', (response) => response.write('{')],
  [
    'never ends',
    (response) => {
      const chunk = ' '.repeat(16 * 1024)
      const go = () => {
        while (!response.destroyed && response.write(chunk));
        response.once('drain', go)
      }
      go()
    },
  ],
])('a response that %s ends with an error', async (_, respond) => {
  await expect(readFrom(respond, { timeoutMs: 100, bytes: 64 * 1024 })).rejects.toMatchObject({ code: 'ECONNRESET' })
})

test('to an https issuer nothing is sent by http', () => {
  const agent = providerAgent('https://id.example.com')
  expect(() => get('http://127.0.0.1:9/token', { agent })).toThrow('Protocol "http:" not supported')
})

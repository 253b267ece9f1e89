import { createPrivateKey } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool as Database } from 'pg'
import { Pool as Connections } from 'undici'
import { signRequest } from '#lib/signing/request-token.ts'

/** What the minimal handler needs to know. */
export type MinimalHandlerSettings = {
  databaseUrl: string
  serviceUrl: string
  accessKey: string
  privateKey: string
  sessionId: string
}

/**
 * The least that a read of the console can do, in a process of its own as the console is: it reads one session row by a
 * prepared statement, signs one request with the console's signing and key, calls the service once over kept connections and
 * passes its text on.
 */
process.once('message', (settings: MinimalHandlerSettings) => {
  const { accessKey, sessionId, serviceUrl } = settings
  const { origin, pathname: basePath } = new URL(serviceUrl)
  const privateKey = createPrivateKey(settings.privateKey)
  const database = new Database({ connectionString: settings.databaseUrl, max: 12 })
  const service = new Connections(origin, { connections: 16 })
  const readSession = { name: 'session', text: 'select * from console.sessions where id = $1', values: [sessionId] }

  async function respond(path: string): Promise<string> {
    const { rows } = await database.query(readSession)
    if (rows.length === 0) throw new Error('the session has a row')
    const uri = `${basePath}${path}`
    const request = { accessKey, privateKey, method: 'GET', uri, body: null, now: Date.now() / 1000 }
    const headers = { authorization: `Bearer ${await signRequest(request)}` }
    const { statusCode, body } = await service.request({ method: 'GET', path: uri, headers })
    if (statusCode !== 200) throw new Error(`the service returned ${statusCode}`)
    return body.text()
  }

  const server = createServer((request, response) => {
    respond(request.url ?? '').then(
      (text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
})

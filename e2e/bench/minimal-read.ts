import { createPrivateKey } from 'node:crypto'
import { Pool as Database } from 'pg'
import { Pool as Connections } from 'undici'
import { signRequest } from '#lib/signing/request-token.ts'

/** What the least read needs to know: the environment variable `MINIMAL_READ` of its process, as JSON. */
export type MinimalReadSettings = {
  databaseUrl: string
  serviceUrl: string
  accessKey: string
  privateKey: string
  sessionId: string
}

/**
 * The least that a read of the console can do: it reads one session row by a prepared statement, signs one request with the
 * console's signing and key, calls the service once over kept connections and returns its text.
 */
export function startReading(): (path: string) => Promise<string> {
  const settings = JSON.parse(process.env.MINIMAL_READ ?? '') as MinimalReadSettings
  const { accessKey, sessionId, serviceUrl } = settings
  const { origin, pathname: basePath } = new URL(serviceUrl)
  const privateKey = createPrivateKey(settings.privateKey)
  const database = new Database({ connectionString: settings.databaseUrl, max: 12 })
  const service = new Connections(origin, { connections: 16 })
  const readSession = { name: 'session', text: 'select * from console.sessions where id = $1', values: [sessionId] }

  return async (path) => {
    const { rows } = await database.query(readSession)
    if (rows.length === 0) throw new Error('the session has a row')
    const uri = `${basePath}${path}`
    const request = { accessKey, privateKey, method: 'GET', uri, body: null, now: Date.now() / 1000 }
    const headers = { authorization: `Bearer ${await signRequest(request)}` }
    const { statusCode, body } = await service.request({ method: 'GET', path: uri, headers })
    if (statusCode !== 200) throw new Error(`the service returned ${statusCode}`)
    return body.text()
  }
}

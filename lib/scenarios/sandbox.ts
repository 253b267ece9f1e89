import { textIn } from '#lib/shared/json.ts'
import { openTarget, type ServiceConnection, type Target } from './target.ts'

/** Longer than a run takes; one whose process died leaves its sandbox for as long. */
const ttl = 'PT2H'

/**
 * Runs work in a sandbox of its own, which is made before and deleted after it. Throws an `Error` for people where the service makes
 * none, `Unreachable` where it can't be reached.
 */
export async function withSandbox(
  connection: ServiceConnection,
  work: (target: Target) => Promise<void>,
): Promise<void> {
  const shared = openTarget(connection)
  try {
    const made = await shared.send(shared.prepareControl('POST /sandboxes', { body: { ttl } }), {})
    const [id, baseUrl, controlUrl] = ['id', 'baseUrl', 'controlUrl'].map((name) => textIn(made.body, name))
    if (made.status !== 200 || !id || !baseUrl || !controlUrl)
      throw new Error(`The service makes no sandbox: ${made.message ?? `its response is ${made.status ?? 'missing'}`}.`)
    // At the address of this connection: the service may know itself by another name.
    const here = (url: string) => new URL(new URL(url).pathname, connection.baseUrl).href
    const inside = openTarget({ ...connection, baseUrl: here(baseUrl), controlUrl: here(controlUrl) })
    try {
      await work(inside)
    } finally {
      await inside.close()
      await shared.send(shared.prepareControl('DELETE /sandboxes', { query: { id } }), {}).catch(() => undefined)
    }
  } finally {
    await shared.close()
  }
}

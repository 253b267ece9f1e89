import { textIn } from '#lib/shared/json.ts'
import { openTarget, type ScenarioService, type Target } from './target.ts'

/** Longer than a run takes; one whose process died leaves its sandbox for as long. */
const usualTtl = 'PT2H'

/** A sandbox of its own, and what reaches it. */
export type OwnSandbox = {
  id: string
  /** By the name that the service has for itself, which may not be the one it is reached by. */
  baseUrl: string
  controlUrl: string
  expiresAt: string | null
  target: Target
  /** Deletes it. Without this it stays until it expires. */
  remove: () => Promise<void>
  /** Closes the connections to it. */
  close: () => Promise<void>
}

/** Makes a sandbox. Throws an `Error` for people where the service makes none, `Unreachable` where it can't be reached. */
export async function makeSandbox(connection: ScenarioService, ttl = usualTtl): Promise<OwnSandbox> {
  const shared = openTarget(connection)
  try {
    const made = await shared.send(shared.prepareControl('POST /sandboxes', { body: { ttl } }), {})
    const [id, baseUrl, controlUrl] = ['id', 'baseUrl', 'controlUrl'].map((name) => textIn(made.body, name))
    if (made.status !== 200 || !id || !baseUrl || !controlUrl)
      throw new Error(`The service makes no sandbox: ${made.message ?? `its response is ${made.status ?? 'missing'}`}.`)
    // At the address of this connection: the service may know itself by another name.
    const here = (url: string) => new URL(new URL(url).pathname, connection.baseUrl).href
    const target = openTarget({ ...connection, baseUrl: here(baseUrl), controlUrl: here(controlUrl) })
    return {
      id,
      baseUrl,
      controlUrl,
      expiresAt: textIn(made.body, 'expiresAt'),
      target,
      async remove() {
        await shared.send(shared.prepareControl('DELETE /sandboxes', { query: { id } }), {}).catch(() => undefined)
      },
      async close() {
        await target.close()
        await shared.close()
      },
    }
  } catch (error) {
    await shared.close()
    throw error
  }
}

/** Runs work in a sandbox of its own, which is made before and deleted after it. Throws what `makeSandbox` throws. */
export async function withSandbox(connection: ScenarioService, work: (target: Target) => Promise<void>): Promise<void> {
  const sandbox = await makeSandbox(connection)
  try {
    await work(sandbox.target)
  } finally {
    await sandbox.remove()
    await sandbox.close()
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Connection } from '#lib/shared/connections.ts'
import { sendResponse, toRequest } from '#lib/shared/http-exchange.ts'
import { traced } from '#lib/shared/tracing.ts'
import { handleControl } from './control/handle.ts'
import { handleDocs } from './docs/handle.ts'
import { docsPath } from './docs/page.ts'
import { handleService } from './handle.ts'
import { logFailure } from './log.ts'
import { handleSwitchedOff } from './openapi.ts'
import { handleSandbox, requireSandboxAt } from './sandboxes/handle.ts'
import { controlPrefix, sandboxesPrefix, servicePrefix } from './service-settings.ts'
import { runningService, type Service } from './service.ts'
import { authenticate } from './steps/authenticate.ts'

type Handle = (request: Request, connection: Connection, service?: Service) => Promise<Response>

/** The interface, its docs, the control plane and the sandboxes of their own, by where they are mounted. */
const mounts: Readonly<Record<string, Handle>> = {
  [servicePrefix]: handleService,
  [docsPath]: handleDocs,
  [controlPrefix]: handleControl,
  [sandboxesPrefix]: handleSandbox,
}

/**
 * Responds to a request for the built-in service or its docs. Returns false for any other path, of which nothing has been sent.
 * Called by the HTTP server for each request, before Next. `service` is the process's own where none is given.
 */
export function respondToService(message: IncomingMessage, response: ServerResponse, service?: Service): boolean {
  const handle = findHandle(message.url ?? '')
  if (!handle) return false
  const { method = '', url: target = '', socket, headers } = message
  const connection = { remoteAddress: socket.remoteAddress ?? '', target, socket }
  const respond = async () =>
    sendResponse(message, response, await handle(toRequest(message, response), connection, service))
  traced('built-in service', { method }, respond, headers).catch((error: unknown) => {
    logFailure(error, { method })
    response.destroy()
  })
  return true
}

/** The access key of the caller of the service, before the body of the request is read; null where nobody is authenticated. */
export async function findCaller(
  { url: uri = '', method = '', headers }: IncomingMessage,
  service?: Service,
): Promise<string | null> {
  const handle = findHandle(uri)
  if (!handle || handle === handleSwitchedOff) return null
  try {
    const own = service ?? runningService()
    const [path = ''] = uri.slice(sandboxesPrefix.length).split('?')
    const called = handle === handleSandbox ? (await requireSandboxAt(own, path)).sandbox : own
    const caller = await authenticate(called, { authorization: headers.authorization ?? null, method, uri })
    return caller.ok ? caller.value.accessKey : null
  } catch {
    // No such sandbox, or no database: the response to the request says so.
    return null
  }
}

const mounted = /^(\/service\/\w+)(?=[/?]|$)/

function findHandle(target: string): Handle | undefined {
  const mount = mounted.exec(target)?.[1] ?? ''
  const handle = Object.hasOwn(mounts, mount) ? mounts[mount] : undefined
  return handle && process.env.BUILT_IN_SERVICE === 'off' ? handleSwitchedOff : handle
}

import type { Socket } from 'node:net'
import type { RequestHeaders } from './direct-requests.ts'
import { globalSingleton } from './global-singleton.ts'

/**
 * What the HTTP server knows of a request and a route handler does not: the peer's socket address, the request line's
 * own target, and the socket, so that a connection can be dropped. The server keeps it under a random id, which it sends
 * along in a header that no caller can set.
 */
export type Connection = { remoteAddress: string; target: string; socket: Socket }

export const connectionHeader = 'x-carddesk-connection'

/** The process's open requests. */
export const connections = globalSingleton<Map<string, Connection>>('carddeskConnections', () => new Map())

export function findConnection(headers: RequestHeaders): Connection | undefined {
  return connections().get(headers.get(connectionHeader) ?? '')
}

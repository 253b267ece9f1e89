import type { Socket } from 'node:net'

/**
 * What the HTTP server knows of a request and a route handler does not: the peer's socket address, the request line's
 * own target, and the socket, so that a connection can be dropped. The server keeps it under a random id, which it sends
 * along in a header that no caller can set.
 */
export type Connection = { remoteAddress: string; target: string; socket: Socket }

export const connectionHeader = 'x-carddesk-connection'

const store = globalThis as typeof globalThis & { carddeskConnections?: Map<string, Connection> }

/** The process's open requests: one map, also where a bundler loads this module twice. */
export function connections(): Map<string, Connection> {
  return (store.carddeskConnections ??= new Map())
}

export function connectionOf(headers: Headers): Connection | undefined {
  return connections().get(headers.get(connectionHeader) ?? '')
}

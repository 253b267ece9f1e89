import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { Socket } from 'node:net'
import { secondMs } from '#lib/shared/time.ts'

const bounds = { timeoutMs: 5 * secondMs, bytes: 1024 * 1024 }

/**
 * Opens the connections of next-auth to the provider, a new one for each request, which ends after 5 s or 1 MiB whatever the
 * provider does: next-auth itself waits for the end of a response as long as some of it comes, and for one that stalls without end.
 * To an https issuer it speaks https alone, whatever the discovery document names.
 */
export function providerAgent(issuer: string, { timeoutMs, bytes } = bounds): HttpAgent {
  const agent = issuer.startsWith('https:') ? new HttpsAgent() : new HttpAgent()
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, callback) => {
    const socket = connect(options, callback) as Socket
    const timeout = setTimeout(() => socket.destroy(), timeoutMs)
    socket.once('close', () => clearTimeout(timeout))
    return socket.on('data', () => socket.bytesRead > bytes && socket.destroy())
  }
  return agent
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An endpoint that responds as the test wants, and records what it received. */
export type Receiver = { url: string; status: number; events: string[]; close: () => Promise<void> }

export async function openReceiver(): Promise<Receiver> {
  const receiver: Receiver = { url: '', status: 200, events: [], close: async () => undefined }
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const { event } = JSON.parse(text) as { event: string }
    if (receiver.status === 200) receiver.events.push(event)
    response.writeHead(receiver.status).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
  receiver.close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return receiver
}

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startReading } from './minimal-read.ts'

// The least read in a process of its own, as the console is, and by nothing but Node's HTTP server.
const read = startReading()
const server = createServer((request, response) => {
  read(request.url ?? '').then(
    (text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import next from 'next'
import { minimalRoute } from './build-minimal-route.ts'

// The least read by a route handler of Next, which is what the console's reads are, in a process of its own.
const app = next({ dir: minimalRoute, dev: false })
await app.prepare()
const respond = app.getRequestHandler()
const server = createServer((request, response) => void respond(request, response))
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))

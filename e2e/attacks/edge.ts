import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { actionHeaders } from '#e2e/server-actions.ts'
import type { ServerUnderTest } from '#lib/launch/testing.ts'

/** An attack on a running server. Its figure stays under the bar where the server holds. */
export type Attack = {
  name: string
  /** What the figure is, with its unit. */
  figure: string
  /** The figure of the version on which the attack was found. */
  before: string
  bar: number
  run: (server: ServerUnderTest) => Promise<number>
}

const mebibyte = 1024 * 1024

/** Attacks of a stranger on the HTTP server, bounded in requests and time, on a server of this machine. */
export const edgeAttacks: readonly Attack[] = [
  {
    name: 'sign-in pages with an old cookie that are left at once, 100 of them',
    figure: 's until the sign-in page responds again',
    before: 'none until a restart',
    bar: 5,
    run: async (server) => {
      const cookie = 'Cookie: carddesk-session=a.b.c.d.1'
      for (let index = 0; index < 100; index += 1) {
        const socket = send(server, head('GET /sign-in', cookie))
        await once(socket, 'connect')
        await delay(index % 10)
        socket.resetAndDestroy()
      }
      return secondsUntilSignIn(server)
    },
  },
  {
    name: '20 pipelined requests on each of 3 connections, which are left at once',
    figure: 's until the sign-in page responds again',
    before: 'none until a restart',
    bar: 5,
    run: async (server) => {
      for (const afterMs of [30, 100, 300]) {
        const socket = send(server, head('GET /sign-in').repeat(20))
        await delay(afterMs)
        socket.destroy()
      }
      return secondsUntilSignIn(server)
    },
  },
  {
    name: 'files by a range that ends before it begins, or lies behind them',
    figure: 'of 4 have no response of 200 within 3 s',
    before: '4',
    bar: 0,
    run: async (server) => {
      const script = /\/_next\/static\/[^"]+\.js/.exec(await server.read('/sign-in'))?.[0]
      const get = async (path: string | undefined, range: string) => {
        const signal = AbortSignal.timeout(3000)
        const response = await fetch(`${server.url}${path}`, { headers: { range }, signal }).catch(() => null)
        return response?.status
      }
      const files = [script, '/embed.js'].flatMap((path) => [get(path, 'bytes=5-2'), get(path, 'bytes=99999999-')])
      return (await Promise.all(files)).filter((status) => status !== 200).length
    },
  },
  {
    name: 'seven connections that declare a large body and send none',
    figure: 'of 3 uploads of others are refused',
    before: '3',
    bar: 0,
    run: async (server) => {
      const page = head('POST /sandbox', 'Next-Action: x', `Content-Length: ${4 * mebibyte}`)
      const signature = `x-access-signature: ${'A'.repeat(344)}`
      const delivery = head('POST /api/webhooks/inbox/sandbox', signature, `Content-Length: ${mebibyte}`)
      const silent = [page, page, page, delivery, delivery, delivery, delivery].map((bytes) => send(server, bytes))
      await Promise.all(silent.map((socket) => once(socket, 'connect')))
      await server.visit('/api/sandbox/fees')
      const body = ' '.repeat(20_000)
      const inbox = { method: 'POST', headers: { 'x-access-signature': 'A'.repeat(344) }, body }
      const statuses = await Promise.all([
        fetch(`${server.url}/sandbox`, { method: 'POST', headers: actionHeaders(server.cookie, 'x'), body }),
        fetch(`${server.url}/service/v1/ping`, { method: 'POST', body }),
        fetch(`${server.url}/api/webhooks/inbox/sandbox`, inbox),
      ])
      for (const socket of silent) socket.destroy()
      return statuses.filter(({ status }) => status === 503 || status === 429).length
    },
  },
  ...(
    [
      ['60 kB of one parameter', `/api/sandbox/overview?${'a&'.repeat(30_000)}`, [], '36600'],
      [
        '60 kB of one parameter that asks for a websocket',
        `/sandbox?${'a&'.repeat(30_000)}`,
        ['Connection: Upgrade', 'Upgrade: websocket'],
        '22700',
      ],
      ['16 kB of one parameter', `/sign-in?${'a&'.repeat(8_000)}`, [], '4900'],
      ['60 kB of other parameters', `/sign-in?${numbered(10_500, (at) => `${at}`).join('&')}`, [], '4500'],
      ['60 kB of digits', `/sign-in?a=${'4-'.repeat(30_000)}`, [], '11400'],
      [
        '2,500 cookies of a session in parts',
        '/api/auth/session',
        [`Cookie: ${numbered(2500, (at) => `carddesk-session.${at}=1`).join('; ')}`],
        '1500',
      ],
    ] as const
  ).map(([name, target, headers, before]): Attack => ({
    name: `a request with ${name}`,
    figure: 'ms that a page of somebody else takes meanwhile',
    before,
    bar: 1000,
    run: async (server) => {
      await server.visit('/api/sandbox/fees')
      const socket = send(server, head(`GET ${target}`, ...headers, 'Connection: close'))
      return longestVisit(server, once(socket, 'close'))
    },
  })),
  {
    name: 'four bodies of 40 MB for the demo’s help desk',
    figure: 'MB of memory more',
    before: '124',
    bar: 50,
    run: async (server) => {
      const memory = server.residentMegabytes()
      const bytes = 40 * mebibyte
      const lines = ['POST /token HTTP/1.1', `Host: embed.localhost:${server.port}`, `Content-Length: ${bytes + 1}`]
      const sockets = Array.from({ length: 4 }, () => {
        const socket = send(server, `${lines.join('\r\n')}\r\n\r\n`)
        socket.write(Buffer.alloc(bytes))
        return socket
      })
      const isSent = (socket: Socket) => socket.closed || socket.writableLength === 0
      for (let wait = 0; wait < 100 && !sockets.every(isSent); wait += 1) await delay(100)
      const grown = server.residentMegabytes() - memory
      for (const socket of sockets) socket.destroy()
      return grown
    },
  },
  {
    name: 'eight server actions at once, posted to a page that does not hold them',
    figure: 'of 8 are lost',
    before: '5',
    bar: 0,
    run: async (server) => {
      const list = JSON.parse(await server.read('/api/sandbox/card-accounts')) as {
        rows: { account: { id: string } }[]
      }
      const headers = { ...actionHeaders(server.cookie), origin: server.url }
      const add = async () => {
        const targetId = list.rows[0]?.account.id
        const note = {
          environment: 'sandbox',
          noteId: randomUUID(),
          targetType: 'cardaccount',
          targetId,
          text: 'A note',
        }
        const body = JSON.stringify(['addNote', note])
        return (await fetch(`${server.url}/sandbox/rates`, { method: 'POST', headers, body })).text()
      }
      const responses = await Promise.all(numbered(8, add))
      return responses.filter((text) => !text.includes('"saved"')).length
    },
  },
  {
    name: 'a server action from another site whose host is in X-Forwarded-Host',
    figure: 'of 1 runs',
    before: '1',
    bar: 0,
    run: async (server) => {
      const forged = { origin: 'http://evil.example', 'x-forwarded-host': 'evil.example' }
      const headers = { ...actionHeaders(server.cookie), ...forged }
      const response = await fetch(`${server.url}/sandbox/card-accounts`, {
        method: 'POST',
        headers,
        body: '["addNote",{}]',
      })
      return (await response.text()).includes('"kind"') ? 1 : 0
    },
  },
  {
    name: 'a request that the image optimizer makes past the HTTP server',
    figure: 'of 1 is made',
    before: '1',
    bar: 0,
    run: async (server) => {
      const response = await fetch(`${server.url}/_next/image?url=%2Fservice%2Fv1%2Fping&w=640&q=75`)
      return response.status === 404 ? 0 : 1
    },
  },
  {
    name: 'an office of 200 people behind one address who open the sign-in page at the same moment',
    figure: 'of 200 are refused',
    before: '157',
    bar: 0,
    run: async (server) => {
      const load = async () => {
        const response = await fetch(`${server.url}/sign-in`)
        await response.arrayBuffer()
        return response.status
      }
      return (await Promise.all(numbered(200, load))).filter((status) => status !== 200).length
    },
  },
]

function numbered<Value>(count: number, make: (at: number) => Value): Value[] {
  return Array.from({ length: count }, (_, at) => make(at))
}

function head(line: string, ...headers: string[]): string {
  return `${[`${line} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`
}

/** A connection that has sent these bytes and reads whatever comes. */
function send({ port }: ServerUnderTest, bytes: string): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined).resume()
  socket.write(bytes)
  return socket
}

/** The longest time in ms that a read of a member of staff takes until `attack` is over, 60 s at most. */
async function longestVisit(server: ServerUnderTest, attack: Promise<unknown>): Promise<number> {
  const over = new AbortController()
  void attack.then(() => over.abort())
  let longest = 0
  for (const start = performance.now(); !over.signal.aborted && performance.now() - start < 60_000;) {
    const began = performance.now()
    await server.visit('/api/sandbox/fees')
    longest = Math.max(longest, performance.now() - began)
  }
  return longest
}

/** Infinity where it does not respond within 15 s. */
async function secondsUntilSignIn(server: ServerUnderTest): Promise<number> {
  const began = performance.now()
  while (performance.now() - began < 15_000) {
    const response = await fetch(`${server.url}/sign-in`)
    await response.arrayBuffer()
    if (response.status === 200) return (performance.now() - began) / 1000
  }
  return Infinity
}

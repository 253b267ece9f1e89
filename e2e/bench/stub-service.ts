import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'

/** A service that responds at once with transactions of the account that is asked for and verifies nothing: what is left is what its caller takes. */
const id = '6f1b2a52-0000-4000-8000-000000000001'
const transaction = {
  id,
  xid: null,
  xmetadata: null,
  refId: 'REF-1',
  cardAccountId: id,
  cardId: id,
  cardLast4: '4242',
  cardEmbossedName: 'CHAN TAI MAN',
  createdAt: '2026-11-01T08:00:00.000Z',
  status: 'posted',
  postedAt: '2026-11-02T08:00:00.000Z',
  intent: 'charge',
  authorization: null,
  merchant: { name: 'Harbour Books', mcc: '5942', category: 'Book stores', country: 'HK' },
  currency: 'HKD',
  amount: 128.5,
  entryType: 'CREDIT',
  description: 'Harbour Books',
  disputeStatus: null,
  grossAmount: 128.5,
}
const page = JSON.stringify({
  transactions: Array.from({ length: 20 }, () => transaction),
  prevPageToken: null,
  nextPageToken: null,
})
const pageOf = (cardAccountId: string) =>
  page.replaceAll(`"cardAccountId":"${id}"`, `"cardAccountId":"${cardAccountId}"`)
const notFound = JSON.stringify({ code: 'NOT_FOUND', message: 'The stub has no such endpoint' })

const server = createServer((request, response) => {
  const [, cardAccountId] = /\/cardaccounts\/transactions\?cardAccountId=([^&]+)/.exec(request.url ?? '') ?? []
  request.resume()
  response.writeHead(cardAccountId ? 200 : 404, { 'content-type': 'application/json', 'x-request-id': id })
  response.end(cardAccountId ? pageOf(cardAccountId) : notFound)
})
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port, []))

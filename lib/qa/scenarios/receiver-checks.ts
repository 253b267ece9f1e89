import { randomUUID } from 'node:crypto'
import type { SignedDelivery } from './control-plane.ts'
import { forwardInPieces, type Forwarded } from './forward.ts'

/** An error of the receiver. */
export class Defect extends Error {}

/** What a check does to a receiver, and what it sees of it. */
export type Kit = {
  /** Signs a `card.updated` of a card that no service has. `secondsAgo` is how old it is. */
  cardEvent: (
    cardId: string,
    status: string,
    options?: { secondsAgo?: number; extra?: object },
  ) => Promise<SignedDelivery>
  sign: (event: string, data: object) => Promise<SignedDelivery>
  send: (delivery: Pick<SignedDelivery, 'body'> & { signature: string | null }) => Promise<Forwarded>
  /** Sends it; throws unless the receiver responds with 200. */
  deliver: (delivery: SignedDelivery, what?: string) => Promise<void>
  /** The state of a card once it is not `before`, or after the time to settle. */
  stateAfter: (cardId: string, before?: string) => Promise<string>
  /** Throws where the state of a card is or becomes another one. */
  requireSame: (cardId: string, state: string, defect: string) => Promise<void>
  url: string
  timeoutMs: number
}

export type Check = { name: string; title: string; needsState?: true; run: (kit: Kit) => Promise<void> }

/** A check for each way in which receivers go wrong; its name is the defect. */
export const receiverChecks: readonly Check[] = [
  {
    name: 'ping-refused',
    title: 'A ping gets 200',
    run: async ({ sign, deliver }) => deliver(await sign('ping', {}), 'a ping'),
  },
  {
    name: 'not-200',
    title: 'An event gets the status 200, not another success',
    async run({ cardEvent, send }) {
      const { status, problem } = await send(await cardEvent(randomUUID(), 'active'))
      if (status !== null && status > 200 && status < 400) {
        throw new Defect(`It responds with ${status}. Only 200 is a success: every event comes eight times.`)
      }
      if (status !== 200) throw new Defect(`It refuses a right event: ${status ?? problem}.`)
    },
  },
  {
    name: 'event-lost',
    title: 'An event that was taken has its effect',
    needsState: true,
    async run({ cardEvent, deliver, stateAfter }) {
      const cardId = randomUUID()
      const none = await stateAfter(cardId)
      await deliver(await cardEvent(cardId, 'active'))
      const active = await stateAfter(cardId, none)
      if (active === none) throw new Defect('It responds with 200, but its state is as before.')
      await deliver(await cardEvent(cardId, 'locked'))
      if ((await stateAfter(cardId, active)) === active) {
        throw new Defect('It takes the first event of a card, but not the second.')
      }
    },
  },
  {
    name: 'wrong-signature-taken',
    title: 'An event with the signature of another one is refused',
    async run({ cardEvent, send }) {
      const [one, other] = await Promise.all([cardEvent(randomUUID(), 'active'), cardEvent(randomUUID(), 'locked')])
      requireRefused(await send({ body: one.body, signature: other.signature }), 'a signature of another event')
    },
  },
  {
    name: 'missing-signature-taken',
    title: 'An event without a signature is refused',
    async run({ cardEvent, send }) {
      const { body } = await cardEvent(randomUUID(), 'active')
      requireRefused(await send({ body, signature: null }), 'no signature')
      requireRefused(await send({ body, signature: '' }), 'an empty signature')
    },
  },
  {
    name: 'parsed-before-verified',
    title: 'The raw bytes are verified, not what they parse to',
    async run({ cardEvent, send }) {
      const { body, signature } = await cardEvent(randomUUID(), 'active')
      const spaced = JSON.stringify(JSON.parse(body), null, 1)
      requireRefused(await send({ body: spaced, signature }), 'bytes that were changed after they were signed')
    },
  },
  {
    name: 'duplicate-applied',
    title: 'An event that comes twice counts once',
    needsState: true,
    async run({ cardEvent, deliver, stateAfter, requireSame }) {
      const cardId = randomUUID()
      const none = await stateAfter(cardId)
      const delivery = await cardEvent(cardId, 'active')
      await deliver(delivery)
      const once = await stateAfter(cardId, none)
      await deliver(delivery, 'an event that it already has')
      await requireSame(cardId, once, 'An event that came twice changed its state twice. Take each id once.')
    },
  },
  {
    name: 'race-applied-twice',
    title: 'An event that comes twice at the same time counts once',
    needsState: true,
    async run({ cardEvent, send, deliver, stateAfter, requireSame }) {
      const [single, double] = [randomUUID(), randomUUID()]
      const none = await stateAfter(single)
      await deliver(await cardEvent(single, 'active'))
      const once = withoutIds(await stateAfter(single, none))
      const noneYet = await stateAfter(double)
      const delivery = await cardEvent(double, 'active')
      await Promise.all(Array.from({ length: 5 }, () => send(delivery)))
      await deliver(delivery, 'an event that it already has')
      const twice = await stateAfter(double, noneYet)
      if (withoutIds(twice) !== once) {
        throw new Defect(
          'One event in five requests at once counted more than once. Make the id unique in the database.',
        )
      }
      await requireSame(double, twice, 'One event in five requests at once counted more than once.')
    },
  },
  {
    name: 'late-resend-applied',
    title: 'A late resend of an older event changes nothing',
    needsState: true,
    async run({ cardEvent, deliver, stateAfter, requireSame }) {
      const cardId = randomUUID()
      const none = await stateAfter(cardId)
      const older = await cardEvent(cardId, 'active', { secondsAgo: 3600 })
      await deliver(older)
      const active = await stateAfter(cardId, none)
      await deliver(await cardEvent(cardId, 'locked'))
      await deliver(await cardEvent(randomUUID(), 'active'))
      const locked = await stateAfter(cardId, active)
      await deliver(older, 'a resend of an older event')
      await requireSame(
        cardId,
        locked,
        'A resend of an older event changed its state. Store every id, not the last one.',
      )
    },
  },
  {
    name: 'older-overwrites-newer',
    title: 'An older event that comes after a newer one does not overwrite it',
    needsState: true,
    async run({ cardEvent, deliver, stateAfter, requireSame }) {
      const cardId = randomUUID()
      const none = await stateAfter(cardId)
      const older = await cardEvent(cardId, 'active', { secondsAgo: 3600 })
      await deliver(await cardEvent(cardId, 'locked'))
      const locked = await stateAfter(cardId, none)
      await deliver(older, 'an older event')
      const defect = 'An event an hour older overwrote a newer state. Compare time before you apply.'
      await requireSame(cardId, locked, defect)
    },
  },
  {
    name: 'slow-body-refused',
    title: 'A body that comes in pieces is taken',
    async run({ cardEvent, url, timeoutMs }) {
      const { body, signature } = await cardEvent(randomUUID(), 'active')
      const pieces = { pausesMs: [40, 300, 300], isTruncated: false, timeoutMs }
      const status = await forwardInPieces(url, { body, signature }, pieces)
      if (status !== 200)
        throw new Defect(`A body that came in pieces got ${status ?? 'no response'}. Read to its end.`)
    },
  },
  {
    name: 'cut-delivery-lost',
    title: 'A delivery that was cut off is taken when it comes again',
    needsState: true,
    async run({ cardEvent, deliver, stateAfter, requireSame, url, timeoutMs }) {
      const cardId = randomUUID()
      const none = await stateAfter(cardId)
      const delivery = await cardEvent(cardId, 'active')
      await forwardInPieces(url, delivery, { pausesMs: [100], isTruncated: true, timeoutMs })
      await requireSame(cardId, none, 'Half a delivery changed its state.')
      await deliver(delivery, 'an event after a connection was cut')
      if ((await stateAfter(cardId, none)) === none) {
        throw new Defect(
          'An event whose first delivery was cut off is lost. Store its id when it is applied, not before.',
        )
      }
    },
  },
  {
    name: 'unknown-field-refused',
    title: 'Unknown fields are no error',
    async run({ cardEvent, deliver }) {
      const extra = { addedByANewerRelease: { nested: [1, null] } }
      await deliver(await cardEvent(randomUUID(), 'active', { extra }), 'an event with a field that it does not know')
    },
  },
  {
    name: 'unknown-event-refused',
    title: 'An unknown event is no error',
    run: async ({ sign, deliver }) =>
      deliver(await sign('card.added-by-a-newer-release', { id: randomUUID() }), 'an event that it does not know'),
  },
]

/** A state whose ids and times are not its own: those of two cards can be compared. */
function withoutIds(state: string): string {
  return state
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '…')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)?/g, '…')
}

function requireRefused({ status }: Forwarded, what: string): void {
  if (status !== null && status >= 200 && status < 300) {
    throw new Defect(`It takes ${what} (HTTP ${status}). Respond with 401.`)
  }
}

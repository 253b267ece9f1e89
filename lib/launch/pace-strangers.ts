import type { RequestListener, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { busy, callerNetwork, sendRejection, type Senders } from './http-limits.ts'

/**
 * Requests without a session that Next handles: 40 a second, which leave staff half of a core. So many of one address may wait that an
 * office of 200 people who sign in at the same moment is served, 5 s for each page at most.
 */
const limits = { points: 10, seconds: 0.25, ofAddress: 300, ofAll: 600 }

/** Calls and deliveries of the service, and the health checks. What describes the service is long, and is for anybody. */
const unpaced =
  /^\/(?:service\/(?:v1|control|sandboxes)(?![^?]*\/openapi\.json)|api\/webhooks\/inbox|api\/health(?:\/(?:live|ready))?(?=\?|$))(?=[/?]|$)/

/**
 * Hands requests on to `handle`: those with a session's cookie at once, the others at a steady pace, one of each address in turn. Those
 * beyond the places to wait get 503, and where these are full the address with the most of them gives one up to an address with fewer.
 * Nothing has to be given back: a flood takes little memory and leaves connections of the database to staff, and what its senders
 * have left takes no turn. Calls of the service and health checks do not wait.
 */
export function paceStrangers(
  handle: RequestListener,
  { knownSender, trustedHops }: Senders,
  { points, seconds, ofAddress, ofAll } = limits,
): RequestListener {
  const pace = new RateLimiterMemory({ points, duration: seconds })
  /** By address, the next one first. */
  const queues = new Map<string, { response: ServerResponse; settle: (hasTurn: boolean) => void }[]>()
  let serving: Promise<void> | null = null

  async function serve(): Promise<void> {
    while (queues.size > 0) {
      const full = await pace.consume('').catch((reason: RateLimiterRes) => reason)
      if (full.consumedPoints > points) await delay(full.msBeforeNext)
      else proceedWithNext()
    }
    serving = null
  }

  function proceedWithNext(): void {
    for (const [address, [next, ...others]] of queues) {
      queues.delete(address)
      if (others.length > 0) queues.set(address, others)
      if (next && !next.response.destroyed) return next.settle(true)
    }
  }

  const handleInTurn: RequestListener = async (request, response) => {
    if ((await knownSender(request)) !== null) return handle(request, response)
    const address = callerNetwork(request, trustedHops)
    const queue = queues.get(address) ?? []
    const refuse = () => sendRejection(response, busy('Too many requests without a session.'))
    if (queue.length >= ofAddress) return refuse()
    const isFull = queues.values().reduce((sum, { length }) => sum + length, 0) >= ofAll
    if (isFull) {
      const longest = queues.values().reduce((one, other) => (other.length > one.length ? other : one))
      if (longest.length <= queue.length + 1) return refuse()
      longest.pop()?.settle(false)
    }
    const { promise: turn, resolve: settle } = Promise.withResolvers<boolean>()
    queues.set(address, [...queue, { response, settle }])
    serving ??= serve()
    if (await turn) handle(request, response)
    else refuse()
  }

  return (request, response) => {
    void (unpaced.test(request.url ?? '') ? handle : handleInTurn)(request, response)
  }
}

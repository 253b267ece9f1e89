import { randomUUID } from 'node:crypto'
import { count, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import type { OperationKind } from '#lib/api/actions.ts'
import { createServiceClient, type ServiceClient } from '#lib/client/service-client.ts'
import { cancelBulkJob } from '#lib/console/bulk/control.ts'
import { readReference } from '#lib/console/references/detail.ts'
import { creditAccounts, jobIn, letTimePass, limitJob } from '#lib/console/testing/bulk.ts'
import { cardIn } from '#lib/console/testing/cards.ts'
import { balanceIn, chargeFees, feeIn } from '#lib/console/testing/fees.ts'
import { individual } from '#lib/console/testing/individual.ts'
import { shareConsole } from '#lib/console/testing/open-console.ts'
import { payoutsMade, philippines, quoted, makeSubmission } from '#lib/console/testing/payouts.ts'
import type { CardStatus } from '#lib/contract/terms.ts'
import { readOneAccount } from '#lib/index/account.ts'
import { readCards } from '#lib/index/cards-sync.ts'
import { openCardNumber } from '#lib/service/card-number.ts'
import { usualModes } from '#lib/service/modes.ts'
import { cardAccounts } from '#lib/service/tables/card-accounts.ts'
import { cards, products } from '#lib/service/tables/cards.ts'
import { payouts } from '#lib/service/tables/payouts.ts'
import { webhooks } from '#lib/service/tables/webhooks.ts'
import { testCardNumberKey } from '#lib/service/testing.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { watchedWebhooks } from '#lib/tables/webhooks.ts'
import { bulkJobsDone } from './bulk/run.ts'
import { type BulkEntry, startBulkJob } from './bulk/start.ts'
import type { ActionResult } from './types.ts'

const desk = shareConsole({ seeded: 30 })
const environment = 'sandbox'

/** How often an operation took effect at the service, by its database; 2 means more than once. */
type Effects = () => Promise<number>
type Prepared = { act: () => Promise<ActionResult | { kind: string }>; effects: Effects }

beforeEach(async () => {
  await desk.signIn('operations')
  await desk.service.control('DELETE', '/faults')
  // Many operations fail at once here: without a breaker each of them is sent and read back.
  const { sandbox } = consoleSettings().services
  if (!sandbox) throw new Error('the sandbox is not connected')
  const client = createServiceClient({
    ...sandbox,
    circuitBreaker: { minimumFailures: 1e6 },
    retryBudget: { floor: 1e6 },
    surroundings: { pause: () => Promise.resolve() },
  })
  const { carddeskServices } = globalThis as typeof globalThis & { carddeskServices: Map<string, ServiceClient> }
  const usual = carddeskServices.get(environment)
  carddeskServices.set(environment, client)
  return async () => {
    if (usual) carddeskServices.set(environment, usual)
    await client.close()
  }
})

/** Cards of one account each, so that operations on different cards don't meet. */
async function cardFor(position: number, status: CardStatus) {
  const { db } = desk.service.service
  const all = await db.select().from(cards).orderBy(cards.id)
  const card = all[position]
  if (!card) throw new Error('the seed has too few cards')
  await db.update(cards).set({ status, lockedBeforeSuspension: false }).where(eq(cards.id, card.id))
  const input = { environment, cardAccountId: card.cardAccountId, cardId: card.id, operationId: randomUUID() } as const
  const read = async () => (await db.select().from(cards).where(eq(cards.id, card.id)))[0] ?? card
  return { card, input, read }
}

function statusKind(
  position: number,
  before: CardStatus,
  after: CardStatus,
  act: (input: Awaited<ReturnType<typeof cardFor>>) => Prepared['act'],
): () => Promise<Prepared> {
  return async () => {
    const found = await cardFor(position, before)
    return { act: act(found), effects: async () => ((await found.read()).status === after ? 1 : 0) }
  }
}

const reason = 'program-policy'

async function referenceKind(targetType: 'cardaccount' | 'card' | 'payout', targetId: string): Promise<Prepared> {
  const { revision } = await readReference(environment, targetType, targetId)
  const xid = `xid-${randomUUID()}`
  const change = { xid: { mode: 'replace', text: xid }, xmetadata: { mode: 'keep' } } as const
  const input = { environment, operationId: randomUUID(), targetType, targetId, revision, ...change } as const
  const table = { cardaccount: cardAccounts, card: cards, payout: payouts }[targetType]
  const { db } = desk.service.service
  return {
    act: () => runAction('reference.set', input),
    effects: async () => (await db.select({ found: count() }).from(table).where(eq(table.xid, xid)))[0]?.found ?? 0,
  }
}

/** An account whose identity the service has in this status. */
async function identityOf(place: number, clientIdentityStatus: 'pending' | 'rejected') {
  const { db } = desk.service.service
  const id = (await creditAccounts(desk))[place]?.id ?? ''
  const isOfAccount = eq(cardAccounts.id, id)
  await db.update(cardAccounts).set({ clientIdentityStatus }).where(isOfAccount)
  const isNow = async (status: string) =>
    (await db.select().from(cardAccounts).where(isOfAccount))[0]?.clientIdentityStatus === status
  return { id, isNow }
}

const webhooksOf = async (url: string) => desk.service.service.db.select().from(webhooks).where(eq(webhooks.url, url))

const kinds: Record<OperationKind | `reference.set ${string}`, () => Promise<Prepared>> = {
  'card.lock': statusKind(
    0,
    'active',
    'locked',
    ({ input }) =>
      () =>
        runAction('card.lock', input),
  ),
  'card.unlock': statusKind(
    1,
    'locked',
    'active',
    ({ input }) =>
      () =>
        runAction('card.unlock', input),
  ),
  'card.suspend': statusKind(
    2,
    'active',
    'suspended',
    ({ input }) =>
      () =>
        runAction('card.suspend', { ...input, reason }),
  ),
  'card.unsuspend': statusKind(
    3,
    'suspended',
    'active',
    ({ input }) =>
      () =>
        runAction('card.unsuspend', { ...input, reason }),
  ),
  'card.cancel': statusKind(4, 'active', 'cancelled', ({ input, card }) => {
    return () => runAction('card.cancel', { ...input, reason, confirmLast4: card.last4 })
  }),
  'card.activate': async () => {
    const { input, card, read } = await cardFor(5, 'pending-activation')
    const number = openCardNumber(card.sealedNumber, card.id, testCardNumberKey)
    const { expiryMonth, expiryYear } = card
    return {
      act: () => runAction('card.activate', { ...input, last6: number.slice(-6), expiryMonth, expiryYear }),
      effects: async () => ((await read()).status === 'active' ? 1 : 0),
    }
  },
  'card.change-pin': async () => {
    const { input, card, read } = await cardFor(6, 'active')
    return {
      act: () => runAction('card.change-pin', { ...input, reason, pin: '483920' }),
      effects: async () => ((await read()).pinDigest === card.pinDigest ? 0 : 1),
    }
  },
  'account.open': async () => {
    const { db } = desk.service.service
    const name = `Account ${randomUUID()}`
    const input = { environment, operationId: randomUUID(), name, phoneNumber: individual.mobile, individual } as const
    const terms = { accountType: 'credit', currency: 'HKD', limit: '1,000.50', xid: '', xmetadata: '' } as const
    return {
      act: () => runAction('account.open', { ...input, ...terms }),
      effects: async () => (await db.select().from(cardAccounts).where(eq(cardAccounts.name, name))).length,
    }
  },
  'card.issue': async () => {
    const { db } = desk.service.service
    const [like] = await db.select().from(cards).limit(1)
    if (!like) throw new Error('the seed has no card')
    const xid = `xid-${randomUUID()}`
    const { cardAccountId, productId } = like
    const [product] = await db.select().from(products).where(eq(products.id, productId))
    const type = product?.cardType === 'virtual' ? 'virtual' : 'physical'
    const input = { environment, operationId: randomUUID(), cardAccountId, type, productId, xid } as const
    return {
      act: () => runAction('card.issue', { ...input, embossedName: 'MEI CHAN' }),
      effects: async () => (await db.select().from(cards).where(eq(cards.xid, xid))).length,
    }
  },
  'card.replace': async () => {
    const { db } = desk.service.service
    // A card is replaced once: each case has one of its own.
    const { target, card } = await cardIn(desk, 'active')
    const { cardAccountId } = target
    const [product] = await db.select().from(products).where(eq(products.cardType, 'virtual'))
    const { productId, type } = { productId: product?.id ?? card.productId, type: 'virtual' } as const
    const { json } = await desk.service.call('issueCard', {
      body: { type, cardAccountId, productId, embossedName: 'MEI CHAN' },
    })
    const xid = `xid-${randomUUID()}`
    const input = { ...target, cardId: String(json.id), operationId: randomUUID(), type, productId, xid, isLost: false }
    return {
      act: () => runAction('card.replace', { ...input, embossedName: 'MEI CHAN' }),
      effects: async () => (await db.select().from(cards).where(eq(cards.xid, xid))).length,
    }
  },
  'fee.waive': async () => {
    const [account] = await creditAccounts(desk)
    const [fee] = account ? await chargeFees(desk, account.id, [12]) : []
    if (!account || !fee) throw new Error('no fee was charged')
    const before = await balanceIn(desk, account.id)
    const operationId = randomUUID()
    return {
      act: () => runAction('fee.waive', { environment, operationId, feeId: fee.id, reason: 'goodwill' }),
      effects: async () => {
        const isVoid = (await feeIn(desk, fee.id))?.status === 'void'
        const moved = Math.round((await balanceIn(desk, account.id)) - before) / 12
        return isVoid ? moved : moved === 0 ? 0 : 2
      },
    }
  },
  'account.set-limit': async () => {
    const account = (await creditAccounts(desk))[1]
    if (!account) throw new Error('the seed has too few credit accounts')
    const limit = Number(account.limit) + 1
    const limitBefore = Number(account.limit)
    const input = { environment, operationId: randomUUID(), cardAccountId: account.id, limitBefore } as const
    return {
      act: () => runAction('account.set-limit', { ...input, limit: String(limit), reason: 'credit-review' }),
      effects: async () =>
        (await creditAccounts(desk)).some(({ id, limit: now }) => id === account.id && Number(now) === limit) ? 1 : 0,
    }
  },
  'reference.set': async () => referenceKind('cardaccount', (await creditAccounts(desk))[2]?.id ?? ''),
  'reference.set card': async () => {
    const { card } = await cardFor(7, 'active')
    await readCards(environment, card.cardAccountId)
    return referenceKind('card', card.id)
  },
  'reference.set payout': async () => {
    const [payout] = await desk.service.service.db.select().from(payouts).limit(1)
    return referenceKind('payout', payout?.id ?? '')
  },
  'webhook.create': async () => {
    const url = `https://hooks.example/${randomUUID()}`
    const operationId = randomUUID()
    return {
      act: () => runAction('webhook.create', { environment, operationId, url, events: ['*'], name: '' }),
      effects: async () => (await webhooksOf(url)).length,
    }
  },
  'webhook.recreate': async () => {
    const url = `https://hooks.example/${randomUUID()}`
    const [webhookId, now] = [randomUUID(), new Date()]
    await desk.db.insert(watchedWebhooks).values({
      environment,
      id: webhookId,
      url,
      events: ['*'],
      statsStatus: 'deleted',
      queuedMessages: 0,
      firstSeenAt: now,
      seenAt: now,
      statsAt: now,
    })
    const input = { environment, operationId: randomUUID(), webhookId } as const
    return { act: () => runAction('webhook.recreate', input), effects: async () => (await webhooksOf(url)).length }
  },
  'webhook.remove': async () => {
    const url = `https://hooks.example/${randomUUID()}`
    const { json } = await desk.service.call('createWebhook', { body: { url, events: ['*'] } })
    const { id: webhookId } = json as { id: string }
    const input = { environment, operationId: randomUUID(), webhookId, confirmQueued: 1000 } as const
    const isRemoved = async () => ((await webhooksOf(url))[0]?.status ?? 'removed') === 'removed'
    return { act: () => runAction('webhook.remove', input), effects: async () => ((await isRemoved()) ? 1 : 0) }
  },
  'identity.simulate': async () => {
    const { id, isNow } = await identityOf(3, 'pending')
    const input = { environment, operationId: randomUUID(), cardAccountId: id, decision: 'approve' } as const
    return {
      act: () => runAction('identity.simulate', input),
      effects: async () => ((await isNow('approved')) ? 1 : 0),
    }
  },
  'identity.resubmit': async () => {
    const { id, isNow } = await identityOf(4, 'rejected')
    await readOneAccount(environment, id)
    const input = { environment, operationId: randomUUID(), cardAccountId: id, individual } as const
    return { act: () => runAction('identity.resubmit', input), effects: async () => ((await isNow('pending')) ? 1 : 0) }
  },
  'payout.submit': async () => {
    const quote = await quoted(philippines)
    const input = makeSubmission(quote, philippines)
    return {
      act: () => runAction('payout.submit', input),
      effects: async () => (await payoutsMade(desk, quote.id)).length,
    }
  },
}

const paths = [
  ...['lock', 'unlock', 'suspend', 'unsuspend', 'cancel', 'activate', 'change-pin'].map((action) => `/cards/${action}`),
  '/cardaccounts',
  '/cards',
  '/fees/waive',
  '/cardaccounts/fixed-limit',
  '/xmetadata/set',
  '/cardaccounts/client-identity',
  '/cardaccounts/simulate-client-identity-status',
  '/webhooks',
  '/webhooks/remove',
  '/payouts',
]

async function armFaults(fault: object, at: readonly string[] = paths): Promise<void> {
  for (const path of at) {
    const armed = await desk.service.control('POST', '/faults', { path, method: 'POST', times: 'always', ...fault })
    expect(armed.status, armed.text).toBe(200)
  }
}

const successes: [string, object][] = [
  ['a 204', { shape: { kind: 'no-content' } }],
  ['an empty 200', { shape: { kind: 'body' } }],
  ['other JSON', { shape: { kind: 'body', value: { ok: true } } }],
  ['a list', { shape: { kind: 'body', value: [] } }],
]
const pages: [string, object][] = [
  ['an HTML page', { shape: { kind: 'html' } }],
  ['a redirect', { shape: { kind: 'redirect' } }],
]
const failures: [string, object][] = [
  ['a 500', { status: 500 }],
  ['a dropped connection', { status: 0 }],
]
const untrue = { success: false, error: 'not today' }

/** A job that waives fees, started as another one is. */
function waiverJob(like: BulkEntry, fees: readonly { id: string }[]): BulkEntry {
  return {
    ...like,
    id: randomUUID(),
    kind: 'fee.waive',
    title: `Waive ${fees.length} fees`,
    items: fees.map(({ id }) => ({
      target: { type: 'fee', id, parentId: null, label: null },
      endpoint: 'waiveFee',
      body: { id },
      facts: {},
    })),
  }
}

/** `looksDone`: nothing but a record that shows the change distinguishes this response from a success. */
const faults: { title: string; fault: object; looksDone?: true }[] = [
  ...[...successes, ...pages, ...failures].map(([title, fault]) => ({
    title: `${title} after the effect`,
    fault: { ...fault, after: true },
  })),
  ...successes.map(([title, fault]) => ({
    title: `${title} without effect`,
    fault: { ...fault, after: false },
    looksDone: true as const,
  })),
  ...[...pages, ...failures].map(([title, fault]) => ({
    title: `${title} without effect`,
    fault: { ...fault, after: false },
  })),
  ...[401, 403, 404].map((status) => ({ title: `a ${status}`, fault: { status } })),
  { title: 'a truncated response', fault: { shape: { kind: 'truncated' } } },
  { title: 'success: false', fault: { shape: { kind: 'body', value: untrue }, after: false } },
  { title: 'a success without effect', fault: { shape: { kind: 'no-effect' } }, looksDone: true },
]

/** What is wrong with an outcome, beside how often the operation took effect. Null where nothing is. */
function outcomeProblem(
  result: Awaited<ReturnType<Prepared['act']>>,
  effects: number,
  isShown: boolean,
): string | null {
  const outcome = 'operation' in result ? result.operation.outcome : null
  const state = outcome?.state ?? `not started: ${JSON.stringify(result)}`
  if (effects > 1) return `${effects} effects`
  if (state === 'done') return effects === 1 || !isShown ? null : 'done, without effect'
  if (state === 'refused') return effects === 0 ? null : `refused, with an effect: ${outcome?.happened}`
  if (state === 'unknown') return effects === 0 || !isShown ? null : `unknown, with an effect: ${outcome?.happened}`
  return state
}

test.each([
  ['done', 0, 'done, without effect'],
  ['refused', 1, 'refused, with an effect'],
  ['unknown', 1, 'unknown, with an effect'],
  ['done', 2, '2 effects'],
  ['partial', 1, 'partial'],
])('a planted outcome “%s” after %i effects is a problem', (state, effects, problem) => {
  const result = { kind: 'settled', operation: { outcome: { state, happened: 'Sent.' } } } as unknown as ActionResult
  expect(outcomeProblem(result, effects, true)).toContain(problem)
})

/** Where nothing took effect, a key that is ignored changes nothing: `npm run suites:full` tries these faults, too. */
const withEffect = faults.filter(({ fault }) => {
  const { after, status }: { after?: boolean; status?: number } = fault
  return inject('extent') > 1 || after === true || (after === undefined && status === undefined)
})
const modes = [
  { title: 'honours keys', modes: {}, faults },
  { title: 'ignores keys', modes: { ignoreIdempotencyKeys: true }, faults: withEffect },
]

/** What makes or moves something of value, and half of the rest, the other half with the next fault: `npm run suites:full` tries all with each. */
function triedWith(title: string): [string, () => Promise<Prepared>][] {
  const place = faults.findIndex((fault) => fault.title === title)
  return Object.entries(kinds).filter(
    ([kind], index) => inject('extent') > 1 || alwaysTried.has(kind) || index % 2 === place % 2,
  )
}
const alwaysTried = new Set([
  'payout.submit',
  'fee.waive',
  'account.set-limit',
  'account.open',
  'card.issue',
  'card.replace',
])

describe.each(modes)('a service that $title', ({ modes, faults }) => {
  beforeEach(async () => {
    await desk.service.control('POST', '/modes', { ...usualModes, ...modes })
  })

  test.each(faults)(
    '$title: no operation is done or refused that is not, none twice',
    async ({ title, fault, looksDone }) => {
      const prepared = new Map<string, Prepared>()
      for (const [kind, prepare] of triedWith(title)) prepared.set(kind, await prepare())
      await armFaults(fault)
      const problemsNow = async () => {
        const found = await Promise.all(
          [...prepared].map(async ([kind, { act, effects }]) => {
            const result = await act()
            // Nothing shows a PIN: the response alone can.
            const isShown = kind !== 'card.change-pin' || !(looksDone ?? false)
            const isPin = kind === 'card.change-pin'
            const problem = outcomeProblem(result, await effects(), isShown)
            return problem && !(isPin && problem.startsWith('unknown')) ? [`${kind}: ${problem}`] : []
          }),
        )
        return found.flat()
      }
      expect(await problemsNow()).toEqual([])
      await desk.service.control('DELETE', '/faults')
      expect(await problemsNow(), 'the same operations again, at a service without faults').toEqual([])
    },
  )

  test.each([...faults, { title: 'rows that say success: false', fault: { shape: { kind: 'unsuccessful' } } }])(
    '$title: no row of a bulk job is done or refused that is not, none twice',
    async ({ title, fault }) => {
      const staff = await desk.signIn('operations')
      const [account, ...others] = await creditAccounts(desk)
      if (!staff || !account) throw new Error('there is nobody of Operations, or no credit account')
      const isForLimits = title.startsWith('rows')
      const charged = isForLimits ? [] : await chargeFees(desk, account.id, [11, 13])
      const limited = others.slice(0, 2).map(({ id, limit }) => ({ id, limit: Number(limit) + 1 }))
      const limits = limitJob(
        staff,
        limited.map(({ id }) => id),
      )
      const entries: BulkEntry[] = [
        {
          ...limits,
          items: limits.items.map((item, index) => ({
            ...item,
            body: { cardAccountId: item.target.id, limit: limited[index]?.limit },
          })),
        },
        ...(isForLimits ? [] : [waiverJob(limits, charged)]),
      ]
      await armFaults(fault, isForLimits ? ['/cardaccounts/fixed-limit'] : paths)
      for (const entry of entries) await startBulkJob(entry)
      await bulkJobsDone()
      const problemsNow = async () => {
        const accounts = new Map((await creditAccounts(desk)).map(({ id, limit }) => [id, Number(limit)]))
        const found: string[] = []
        for (const entry of entries) {
          const { items } = await jobIn(desk, entry.id)
          for (const { targetId, state, message } of items) {
            const limit = limited.find(({ id }) => id === targetId)?.limit
            const isDone =
              limit === undefined ? (await feeIn(desk, targetId))?.status === 'void' : accounts.get(targetId) === limit
            if (state === 'done' ? !isDone : state === 'refused' && isDone) {
              found.push(`${entry.kind} ${state}, ${isDone ? 'with an effect' : 'without effect'}: ${message}`)
            }
          }
        }
        return found
      }
      expect(await problemsNow()).toEqual([])
      await desk.service.control('DELETE', '/faults')
      await letTimePass(desk)
      expect(await problemsNow(), 'after a round at a service without faults').toEqual([])
      for (const entry of entries) await cancelBulkJob({ environment, jobId: entry.id })
    },
  )
})

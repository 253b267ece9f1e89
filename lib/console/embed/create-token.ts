import 'server-only'
import { z } from 'zod'
import { embedTypes, hasCardAccount, lookUpFields, type LookUpField } from '#lib/api/embed-view.ts'
import { recordAudit } from '#lib/audit/chain.ts'
import { auditRefusedAttempts } from '#lib/audit/refused-attempts.ts'
import type { Actor } from '#lib/audit/types.ts'
import { oneOf } from '#lib/contract/fields.ts'
import { database } from '#lib/db/connection.ts'
import { action } from '#lib/gate/action.ts'
import { isPhoneNumber } from '#lib/index/phone-numbers.ts'
import type { NotStarted } from '#lib/operations/types.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { AppError } from '#lib/shared/app-error.ts'
import { EnvironmentName, noCardNumber, parseInput, plainText, ServiceId } from '#lib/shared/parse.ts'
import { having } from '#lib/shared/provided.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { findAccounts } from './find-accounts.ts'
import { parseBearer, embedResponse, limitFailures, requireLimit } from './http.ts'
import { findKeyOfBearer } from './keys.ts'
import { embedTokenLifetimeMs, mostAccountsOfCustomer, signEmbedToken, type EmbedClaims } from './token.ts'
import type { EmbedHosts } from './types.ts'

/** Object of a view. A request names exactly one. */
const named = ['id', ...lookUpFields] as const

/** Names of the objects in a request. */
function namedIn(input: Partial<Record<(typeof named)[number], string | null | undefined>>) {
  return named.map((field) => ({ field, value: input[field] }))
}

const Email = plainText(254)
  .trim()
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address')

/** A phone number as people write it into tickets, without an extension and what is no part of it: `Tel: 9036-8176 ext 5`. */
function withoutWords(text: string): string {
  return text
    .replace(/\(?(?<![a-z])(?:ext(?:n|ension)?|x|#)[^a-z\d]*\d{1,6}\W*$/i, '')
    .replaceAll(/[^+\d\s().-]/g, '')
    .trim()
}

const NamedId = ServiceId.refine(...noCardNumber)

const LookUpText = z.string('must be text').nullish()

/** What a ticket has to find its customer by. A text of another form is nobody's. */
const lookUpValues: Record<LookUpField, z.ZodType<string>> = {
  xid: plainText(256).trim().min(1, 'must not be empty'),
  email: Email,
  phone: plainText(40)
    .transform(withoutWords)
    .refine(isPhoneNumber, 'must be a phone number of 7 to 15 digits behind any zeros'),
}

const TokenInput = z
  .strictObject({
    /** Why the element needs a token. Its request may be passed on whole. */
    reason: plainText(40).nullish(),
    environment: EnvironmentName,
    type: oneOf(embedTypes),
    id: NamedId.nullish(),
    /** Looked up when the token is made. */
    xid: LookUpText,
    email: LookUpText,
    phone: LookUpText,
    cardAccountId: NamedId.nullish(),
    /** Who looks at the view, and at which ticket: in their name something can be requested, where the policy allows it. */
    agent: z
      .strictObject(
        {
          name: plainText(80)
            .trim()
            .min(1, 'must not be empty')
            .refine(...noCardNumber),
          email: Email.toLowerCase(),
        },
        'must have a name and an e-mail address',
      )
      .nullish(),
    ticket: plainText(40)
      .trim()
      .min(1, 'must not be empty')
      .refine(...noCardNumber)
      .nullish(),
    origin: z
      .string('must be an origin such as https://help.example.com')
      .refine((origin) => consoleSettings().embedOrigins.includes(origin), 'must be in EMBED_ALLOWED_ORIGINS'),
  })
  .refine(({ type, cardAccountId }) => !hasCardAccount(type) || Boolean(cardAccountId), {
    path: ['cardAccountId'],
    message: 'must be the card account of the card or transaction',
  })
  .refine((input) => having(namedIn(input), 'value').length === 1, {
    path: ['id'],
    message: `must be given alone, or one of ${lookUpFields.join(', ')} instead`,
  })
  .refine(({ type, id }) => Boolean(id) || type === 'customer' || type === 'card-account', {
    path: ['id'],
    message: 'must be given: only customers and card accounts are looked up',
  })
  .refine(({ agent, ticket }) => Boolean(agent) === Boolean(ticket), {
    path: ['ticket'],
    message: 'must be given together with agent',
  })
  .transform(({ origin, environment, type, cardAccountId, agent, ticket, ...input }) => ({
    origin,
    ticketOrigin: agent && ticket ? { agent, ticket } : undefined,
    environment,
    type,
    cardAccountId: (hasCardAccount(type) && cardAccountId) || null,
    by: having(namedIn(input), 'value'),
  }))

const act = 'embed.create'

/** Times are ISO 8601. `cardAccounts`: how many card accounts the customer has. */
type EmbedToken = { token: string; expiresAt: string; cardAccounts?: number }
type CreateEmbedTokenResult = ({ kind: 'created' } & EmbedToken) | NotStarted

export async function readEmbedHosts(_environment: Environment): Promise<EmbedHosts> {
  const { consoleUrl, embedOrigins, demoHelpDesk } = consoleSettings()
  return { consoleUrl, origins: embedOrigins, helpDesk: demoHelpDesk }
}

/** Creates a token for staff, who embed a view by hand, with its audit entry. */
export const createEmbedToken = action('createEmbedToken', {
  input: TokenInput,
  run: async (given, { staff: by }): Promise<CreateEmbedTokenResult> => {
    const refusable = { environment: given.environment, kind: act, by, target: null }
    await auditRefusedAttempts(refusable, async () => requireLimit('staffTokens', by.id, tooMany))
    return { kind: 'created', ...(await create(given, { kind: 'staff', id: by.id }, by)) }
  },
})

/** `POST /api/embed/tokens`: creates a token for a help desk's server, which shows its key, with an audit entry. */
export function respondToTokenRequest(request: Request): Promise<Response> {
  return embedResponse(request, async () => {
    const secret = parseBearer(request)
    const key = secret === null ? null : await findKeyOfBearer(secret)
    if (!key) {
      limitFailures(request)
      throw new AppError('EMBED_KEY_REFUSED', 'The key is missing, unknown or revoked.')
    }
    requireLimit('tokens', key.id, tooMany)
    const body: unknown = await request.json().catch(() => null)
    const given = parseInput(TokenInput, body)
    if (given.environment !== key.environment) {
      throw new AppError('INVALID_PARAMETERS', `environment must be ${key.environment}: the key is for no other`)
    }
    const by = { id: key.id, name: key.name, role: null }
    return { status: 201, body: await create(given, { kind: 'key', id: key.id }, by) }
  })
}

const tooMany = 'Too many tokens were created.'

/** Finds the object, signs its token, and audits it: for a customer, one entry for each card account. */
async function create(
  given: z.output<typeof TokenInput>,
  creator: EmbedClaims['creator'],
  by: Actor,
): Promise<EmbedToken> {
  const { environment, type, origin, cardAccountId } = given
  const { ids, foundBy } = await findObjects(given)
  const object = { environment, type, id: ids[0] ?? '', cardAccountId }
  const customer = type === 'customer' ? { cardAccountIds: ids, foundBy } : undefined
  const now = new Date()
  // Nobody but a help desk's key asserts who its agent is.
  const ticketOrigin = creator.kind === 'key' ? given.ticketOrigin : undefined
  const token = await signEmbedToken(consoleSettings(), { object, origin, creator, customer, ticketOrigin }, now)
  const how = [
    ...(foundBy === 'id' ? [] : [`found by ${foundBy}`]),
    ...(ticketOrigin ? [`for ${ticketOrigin.agent.name}, ticket ${ticketOrigin.ticket}`] : []),
  ]
  const targetType = type === 'card-account' || type === 'customer' ? 'cardaccount' : type
  const comment = [`for ${origin}`, ...how].join(', ')
  for (const id of ids) {
    const target = { type: targetType, id, parentId: cardAccountId, label: null }
    await recordAudit(database(), { by, environment, act, target, outcome: 'done', comment })
  }
  const expiresAt = new Date(now.getTime() + embedTokenLifetimeMs).toISOString()
  return { token, expiresAt, ...(customer ? { cardAccounts: ids.length } : {}) }
}

async function findObjects({ environment, type, by: [by] }: z.output<typeof TokenInput>) {
  if (!by) throw new TypeError('the request names nothing')
  const { field, value } = by
  if (field === 'id') return { ids: [value], foundBy: field }
  const parsed = lookUpValues[field].safeParse(value)
  if (!parsed.success) throw new AppError('CUSTOMER_NOT_FOUND', `${field} ${parsed.error.issues[0]?.message ?? ''}`)
  const most = type === 'customer' ? mostAccountsOfCustomer : 1
  return { ids: await findAccounts(environment, field, parsed.data, most), foundBy: field }
}

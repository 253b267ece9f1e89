import 'server-only'
import { z } from 'zod'
import { database } from '#lib/db/connection.ts'
import { embedTypes, hasCardAccount, type EmbedObject } from '#lib/shared/embed-view.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { AppError } from '../desk/app-error.ts'
import { recordAudit } from '../desk/audit/chain.ts'
import { auditRefusedAttempts } from '../desk/audit/refused-attempts.ts'
import { staffAction } from '../desk/operations/act.ts'
import { EnvironmentName, parseInput, ServiceId } from '../desk/parse.ts'
import { requirePermission } from '../desk/session/session.ts'
import { consoleSettings } from '../desk/settings.ts'
import type { NotStarted, Target } from '../desk/shapes.ts'
import { bearerOf, embedResponse, limitFailures, isWithinLimit } from './http.ts'
import { keyOfBearer } from './keys.ts'
import type { EmbedHosts } from './shapes.ts'
import { embedTokenLifetimeMs, signEmbedToken, type EmbedClaims } from './token.ts'

const TokenInput = z
  .strictObject({
    environment: EnvironmentName,
    type: z.enum(embedTypes, `must be one of ${embedTypes.join(', ')}`),
    id: ServiceId,
    cardAccountId: ServiceId.nullish(),
    origin: z
      .string('must be an origin such as https://help.example.com')
      .refine((origin) => consoleSettings().embedOrigins.includes(origin), 'must be in EMBED_ALLOWED_ORIGINS'),
  })
  .refine(({ type, cardAccountId }) => !hasCardAccount(type) || Boolean(cardAccountId), {
    path: ['cardAccountId'],
    message: 'must be the card account of the card or transaction',
  })
  .transform(({ origin, environment, type, id, cardAccountId }) => ({
    origin,
    object: { environment, type, id, cardAccountId: hasCardAccount(type) ? (cardAccountId ?? null) : null },
  }))
export type CreateEmbedTokenInput = z.input<typeof TokenInput>

const act = 'embed.create'

/** Times are ISO 8601. */
type EmbedToken = { token: string; expiresAt: string }
type CreateEmbedTokenResult = ({ kind: 'created' } & EmbedToken) | NotStarted

export async function readEmbedHosts(environment: Environment): Promise<EmbedHosts> {
  await requirePermission('embeds.create', environment)
  const { consoleUrl, embedOrigins, demoHelpDesk } = consoleSettings()
  return { consoleUrl, origins: embedOrigins, helpDesk: demoHelpDesk }
}

/** Creates a token for staff, who embed a view by hand, with its audit entry. */
export function createEmbedToken(input: CreateEmbedTokenInput): Promise<CreateEmbedTokenResult> {
  const attempt = { kind: act, permission: 'embeds.create' } as const
  return staffAction<typeof TokenInput, CreateEmbedTokenResult>(attempt, TokenInput, input, async (given, by) => {
    const { object, origin } = given
    const refusable = { environment: object.environment, kind: act, by, target: null }
    await auditRefusedAttempts(refusable, async () => requireLimit(`staff ${by.id}`))
    const created = await sign({ object, origin, creator: { kind: 'staff', id: by.id } })
    await recordAudit(database(), { by, ...auditOf(object), comment: `for ${origin}` })
    return { kind: 'created', ...created }
  })
}

/** `POST /api/embed/tokens`: creates a token for a help desk's server, which shows its key, with an audit entry. */
export function respondToTokenRequest(request: Request): Promise<Response> {
  return embedResponse(request, async () => {
    const secret = bearerOf(request)
    const key = secret === null ? null : await keyOfBearer(secret)
    if (!key) {
      limitFailures(request)
      throw new AppError('EMBED_KEY_REFUSED', 'The key is missing, unknown or revoked.')
    }
    requireLimit(`key ${key.id}`)
    const body: unknown = await request.json().catch(() => null)
    const { object, origin } = parseInput(TokenInput, body)
    if (object.environment !== key.environment) {
      throw new AppError('INVALID_PARAMETERS', `environment must be ${key.environment}: the key is for no other`)
    }
    const created = await sign({ object, origin, creator: { kind: 'key', id: key.id } })
    const by = { id: key.id, name: key.name, role: null }
    await recordAudit(database(), { by, ...auditOf(object), comment: `for ${origin}` })
    return { status: 201, body: created }
  })
}

function requireLimit(subject: string): void {
  if (!isWithinLimit('tokens', subject)) {
    throw new AppError('TOO_MANY_ATTEMPTS', 'Too many tokens were created. Try again in a minute.')
  }
}

async function sign(claims: EmbedClaims): Promise<EmbedToken> {
  const now = new Date()
  const token = await signEmbedToken(consoleSettings(), claims, now)
  return { token, expiresAt: new Date(now.getTime() + embedTokenLifetimeMs).toISOString() }
}

function auditOf(object: EmbedObject) {
  const { environment, type, id, cardAccountId } = object
  const target: Target = {
    type: type === 'card-account' ? 'cardaccount' : type,
    id,
    parentId: cardAccountId,
    label: null,
  }
  return { environment, act, target, outcome: 'done' as const }
}

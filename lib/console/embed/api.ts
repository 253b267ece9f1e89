import 'server-only'
import { embedReads } from '#lib/api/embed.ts'
import { implement } from '#lib/gate/implement.ts'
import { createEmbedToken, readEmbedHosts } from './create-token.ts'
import { createEmbedKey, readEmbedSettings, revokeEmbedKey } from './keys.ts'

export const embedApi = implement(embedReads, { readEmbedHosts, readEmbedSettings })

export const embedHandlers = { createEmbedToken, createEmbedKey, revokeEmbedKey }

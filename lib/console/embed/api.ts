import 'server-only'
import { embedReads } from '#lib/api/embed.ts'
import { implement } from '#lib/gate/implement.ts'
import { readEmbedHosts } from './create-token.ts'
import { readEmbedSettings } from './keys.ts'

export const embedApi = implement(embedReads, { readEmbedHosts, readEmbedSettings })

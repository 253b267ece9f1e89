import 'server-only'
import { reproduceReads } from '#lib/api/reproduce.ts'
import { implement } from '#lib/gate/implement.ts'
import { buildReproduction } from './build.ts'
import { readReproduction } from './read.ts'

export const reproduceApi = implement(reproduceReads, { readReproduction })

export const reproduceHandlers = { buildReproduction }

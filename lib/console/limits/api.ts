import 'server-only'
import { limitReads } from '#lib/api/limits.ts'
import { implement } from '#lib/gate/implement.ts'
import { limitsStart } from './left-over.ts'

export const limitApi = implement(limitReads, { limitsStart })

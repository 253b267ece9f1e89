import 'server-only'
import { limitReads } from '#lib/api/limits.ts'
import { implement } from '#lib/gate/implement.ts'
import { limitsStart } from './left-over.ts'
import { previewLimits, startLimits } from './many.ts'

export const limitApi = implement(limitReads, { limitsStart })

export const limitHandlers = { previewLimits, startLimits }

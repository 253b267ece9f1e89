import 'server-only'
import { limitReads } from '#lib/api/limits.ts'
import { implement } from '#lib/gate/implement.ts'
import { readLimitDraft } from './limit-draft.ts'
import { previewLimits, startLimits } from './many.ts'

export const limitApi = implement(limitReads, { readLimitDraft })

export const limitHandlers = { previewLimits, startLimits }

import 'server-only'
import { referenceReads } from '#lib/api/references.ts'
import { implement } from '#lib/gate/implement.ts'
import { readReference } from './detail.ts'

export const referenceApi = implement(referenceReads, { readReference })

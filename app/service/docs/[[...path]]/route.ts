import { handleDocs } from '#lib/service/docs/handle.ts'
import { everyMethod } from '../../mounted.ts'

export const dynamic = 'force-dynamic'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(handleDocs)

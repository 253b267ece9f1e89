import { handleSandbox } from '#lib/service/sandboxes/handle.ts'
import { mounted } from '../../mounted.ts'

export const dynamic = 'force-dynamic'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = mounted(handleSandbox)

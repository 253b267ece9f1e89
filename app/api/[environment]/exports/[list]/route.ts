import { environmentRoute } from '#app/api/environment-route.ts'
import { exportList } from '#lib/console/export/export.ts'

export const GET = environmentRoute<'list'>(({ environment, list }, search, request) =>
  exportList(environment, list, search, request.signal),
)

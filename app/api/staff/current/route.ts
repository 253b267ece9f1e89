import { respondToRead } from '#lib/console/desk/api.ts'
import { requireCurrentStaff } from '#lib/console/desk/session/session.ts'

export function GET(request: Request): Promise<Response> {
  return respondToRead(request, requireCurrentStaff)
}

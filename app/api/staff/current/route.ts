import { requireCurrentStaff } from '#lib/auth/session.ts'
import { respondToRead } from '#lib/gate/api.ts'

export function GET(request: Request): Promise<Response> {
  return respondToRead(request, requireCurrentStaff)
}

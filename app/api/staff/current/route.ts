import { answerRead } from '#lib/console/api.ts'
import { requireCurrentStaff } from '#lib/console/session.ts'

export function GET(request: Request, context: { params: Promise<object> }): Promise<Response> {
  return answerRead(request, context, () => requireCurrentStaff())
}

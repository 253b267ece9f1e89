import { noteSessionActivity, readSessionActivity } from '#lib/auth/activity.ts'
import { respondToRead } from '#lib/gate/api.ts'

export function GET(request: Request): Promise<Response> {
  return respondToRead(request, readSessionActivity)
}

export function POST(request: Request): Promise<Response> {
  return respondToRead(request, () => noteSessionActivity(request))
}

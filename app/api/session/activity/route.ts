import { respondToRead } from '#lib/console/desk/api.ts'
import { noteSessionActivity, readSessionActivity } from '#lib/console/desk/session/activity.ts'

export function GET(request: Request): Promise<Response> {
  return respondToRead(request, readSessionActivity)
}

export function POST(request: Request): Promise<Response> {
  return respondToRead(request, noteSessionActivity)
}

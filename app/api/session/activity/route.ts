import { respondToRead } from '#lib/console/desk/api.ts'
import { noteSessionActivity, readSessionActivity } from '#lib/console/desk/session/activity.ts'

type Context = { params: Promise<object> }

export function GET(request: Request, context: Context): Promise<Response> {
  return respondToRead(request, context, () => readSessionActivity())
}

export function POST(request: Request, context: Context): Promise<Response> {
  return respondToRead(request, context, () => noteSessionActivity())
}

import { describeView } from '#components/embed/describe-view.ts'
import { respondToViewRequest } from '#lib/console/embed/view.ts'

/** The frame of an embedded view reads its object with its token. */
export function GET(request: Request): Promise<Response> {
  return respondToViewRequest(request, describeView)
}

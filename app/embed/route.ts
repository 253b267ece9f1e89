import { messagesIn } from '#components/messages/catalogue.ts'
import { embedDocument } from '#lib/console/embed/document.ts'

/** The frame of an embedded view. It holds no data: that comes with a token of its host page. */
export function GET(request: Request): Response {
  return embedDocument(request, (language) => messagesIn(language).frame)
}

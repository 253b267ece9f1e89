import { embedDocument } from '#lib/console/embed/document.ts'

/** The frame of an embedded view. It holds no data: that comes with a token of its host page. */
export function GET(): Response {
  return embedDocument()
}

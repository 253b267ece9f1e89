import { answerNotFound } from '#lib/console/desk/api.ts'

export {
  answerNotFound as GET,
  answerNotFound as POST,
  answerNotFound as PUT,
  answerNotFound as PATCH,
  answerNotFound as DELETE,
}

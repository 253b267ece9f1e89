/** Next calls this once, before the server listens. Background work starts here and stops with the server. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { setDirectResponder } = await import('#lib/shared/direct-requests.ts')
  const { respondWithoutNext } = await import('#lib/console/answer-read.ts')
  setDirectResponder(respondWithoutNext)
  const { startConsoleWork } = await import('#lib/jobs/console-work.ts')
  startConsoleWork()
}

import { startTestServer } from '#lib/launch/testing.ts'
import { edgeAttacks } from './edge.ts'

/** Runs every attack against a server of its own on this machine. Prints each figure beside its bar and that of before. */
const server = await startTestServer()
try {
  for (const path of ['/sandbox/card-accounts', '/sandbox/fees', '/sign-in']) await server.visit(path)
  for (const { name, figure, before, bar, run } of edgeAttacks) {
    const measured = await run(server)
    if (!(measured <= bar)) process.exitCode = 1
    const now = Number.isFinite(measured) ? String(Math.round(measured * 10) / 10) : 'none'
    console.log(`${measured <= bar ? 'held' : 'FELL'}  ${name}: ${now} ${figure} (bar ${bar}; before ${before})`)
  }
} finally {
  await server.stop()
}

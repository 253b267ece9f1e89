import 'server-only'
import { turnsOf } from '#lib/db/callers.ts'
import { withCaller } from '#lib/shared/caller.ts'
import { currentSession } from './session/session.ts'

/** Of one person, in all tabs: heavy reads leave half of the console's connections for other people. */
const queriesOfPerson = 6

/** Runs a read for the person of this request, who may leave (`signal`): see `Caller`. */
export async function forCaller<Value>(signal: AbortSignal, read: () => Promise<Value>): Promise<Value> {
  const session = await currentSession()
  const takeTurn = session && turnsOf(`staff ${session.staff.id}`, queriesOfPerson)
  return withCaller({ signal, takeTurn }, read)
}

/** A server of this run, with a database of its own. */
export type RunServer = { url: string; accessFile: string }

/** The servers that `npm run e2e` started, one for each worker. */
export function serversOfRun(): RunServer[] {
  return JSON.parse(process.env.E2E_SERVERS ?? '[]') as RunServer[]
}

/** The server of this worker alone: what its tests do to the clock, to faults and to data disturbs no other's. */
export function serverOfWorker(): RunServer | undefined {
  return serversOfRun()[Number(process.env.TEST_PARALLEL_INDEX ?? 0)]
}

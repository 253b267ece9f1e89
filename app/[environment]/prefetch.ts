import { setTimeout as delay } from 'node:timers/promises'
import { dehydrate, QueryClient, type DehydratedState, type FetchQueryOptions } from '@tanstack/react-query'
import { forbidden, notFound, redirect } from 'next/navigation'
import { maskedForReader } from '#lib/console/desk/masked-reads.ts'
import { isRefusal } from '#lib/console/desk/refusal.ts'
import { type Environment, isEnvironment, routes } from '#lib/shared/routes.ts'

/** How long a page waits for what it shows; then the browser takes over, with a skeleton in the place of what is missing. */
const patienceMs = 2_500

type Read = (client: QueryClient) => Promise<unknown>

/** One read of a page: the browser's own key, and the console function that answers here on the server, masked for the reader. */
export function read<Data, Key extends readonly unknown[]>(
  options: { queryKey: Key },
  answer: () => Promise<Data>,
): Read {
  const [environment] = options.queryKey
  const queryFn = async () =>
    maskedForReader(
      await answer(),
      typeof environment === 'string' && isEnvironment(environment) ? environment : undefined,
    )
  return (client) => client.fetchQuery({ queryKey: options.queryKey, queryFn, retry: false } as FetchQueryOptions)
}

/** The same for a part of a page: what does not exist is said in its place, and the rest of the page stands. */
export function readPart<Data, Key extends readonly unknown[]>(
  options: { queryKey: Key },
  answer: () => Promise<Data>,
): Read {
  return read(options, () =>
    answer().catch((error: unknown) => {
      throw isRefusal(error) && error.status === 404 ? new Error(error.code) : error
    }),
  )
}

/**
 * Reads what a page shows, so that the browser begins with it. What does not exist, is not permitted or needs a sign-in
 * gives its page (`here` is where the sign-in leads back to); any other failure is left to the browser, which says so and
 * asks again.
 */
export async function prefetch(here: string, ...reads: Read[]): Promise<DehydratedState> {
  const client = new QueryClient()
  const refused: unknown[] = []
  const settled = Promise.all(reads.map((one) => one(client).catch((error: unknown) => refused.push(error))))
  await Promise.race([settled, delay(patienceMs, undefined, { ref: false })])
  for (const error of refused) answerRefusal(error, here)
  return dehydrate(client)
}

function answerRefusal(error: unknown, here: string): void {
  if (!isRefusal(error)) return
  if (error.status === 401) redirect(routes.signIn({ callbackUrl: here }))
  if (error.status === 403) forbidden()
  if (error.status === 404) notFound()
}

/** The environment of an address; anything else is a page that does not exist. */
export function environmentOf(text: string): Environment {
  return isEnvironment(text) ? text : notFound()
}

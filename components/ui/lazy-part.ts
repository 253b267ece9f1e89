import { type ComponentType, lazy, type LazyExoticComponent } from 'react'

const againAfterMs = 2000

/**
 * A component in a chunk of its own, which is fetched when it is first shown. While the console's server doesn't answer it is
 * fetched again every two seconds: React takes the whole page down, typed work included, where a part of it fails to load.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await loadAtLast(load) }))
}

async function loadAtLast<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await load()
    } catch (error) {
      if (!isNotFetched(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, againAfterMs))
    }
  }
}

/** Whether the code of a part could not be fetched: the server doesn't answer, or has another version of it by now. */
export function isNotFetched(error: unknown): boolean {
  return error instanceof Error && error.name === 'ChunkLoadError'
}

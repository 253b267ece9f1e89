import { makeBuild } from './build.ts'

/** `npm run build`: the build that `npm start` makes when it is missing or stale. */
try {
  await makeBuild(() => undefined, { isServer: false })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

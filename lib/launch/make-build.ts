import { makeBuild } from './build.ts'

/** `npm run build`: what `npm start` does by itself when the build is missing or stale. */
try {
  await makeBuild(() => undefined, { isServer: false })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

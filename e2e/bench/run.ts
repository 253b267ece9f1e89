import { makeBuild } from '#lib/launch/build.ts'
import { measureConsoleApi } from './console-api.ts'
import { measureEmbeddedViews } from './embed.ts'
import { printTable, type Figure } from './figure.ts'
import { measureLargeSeed } from './large-seed.ts'
import { measureLiveScreen } from './live-screen.ts'
import { measurePages } from './pages.ts'
import { measureRetention } from './retention.ts'
import { measureScenarios } from './scenarios.ts'
import { measureService } from './service.ts'
import { measureSigning } from './signing.ts'
import { measureWebhooks } from './webhooks.ts'

/** `npm run bench`, or a part of it: `npm run bench -- signing`. It shows; it does not judge, since machines are noisy. */
const benches: Record<string, () => Promise<Figure[]>> = {
  signing: measureSigning,
  service: measureService,
  'console-api': measureConsoleApi,
  webhooks: measureWebhooks,
  'live-screen': measureLiveScreen,
  scenarios: measureScenarios,
  'embedded-views': measureEmbeddedViews,
  pages: measurePages,
  'large-seed': measureLargeSeed,
  retention: measureRetention,
}

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !(name in benches))
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}.`)
  process.exit(1)
}

await makeBuild(console.log, { isServer: false })
const figures: Figure[] = []
for (const [name, measure] of Object.entries(benches)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  console.log(`Measuring ${name}`)
  figures.push(...(await measure()))
}
console.log('')
printTable(figures)

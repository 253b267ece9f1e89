import { measureConsoleApi } from './console-api.ts'
import type { Desk } from './desk.ts'
import { measureEmbeddedViews } from './embed.ts'
import type { Figure } from './figure.ts'
import { measureLiveScreen } from './live-screen.ts'
import { measurePages } from './pages.ts'
import { measureRetention } from './retention.ts'
import { measureScale } from './scale.ts'
import { measureScenarios } from './scenarios.ts'
import { measureService } from './service.ts'
import { measureSigning } from './signing.ts'
import { measureWebhooks } from './webhooks.ts'

/** The parts of `npm run bench`. */
export const parts = {
  signing: measureSigning,
  service: measureService,
  'console-api': measureConsoleApi,
  webhooks: measureWebhooks,
  'live-screen': measureLiveScreen,
  'embedded-views': measureEmbeddedViews,
  pages: measurePages,
  scenarios: measureScenarios,
  scale: measureScale,
  retention: measureRetention,
} satisfies Record<string, (desk: Desk) => Promise<Figure[]>>

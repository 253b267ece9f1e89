import 'server-only'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import { apiRoutes } from '#lib/shared/routes.ts'

/** Where an editor gets the JSON Schema of scenario files. */
export function scenarioSchemaUrl(): string {
  return new URL(apiRoutes.scenarioSchema(), consoleSettings().consoleUrl).href
}

/** A text as a file to download. */
export function fileResponse(name: string, type: string, content: string): Response {
  return new Response(content, {
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    },
  })
}

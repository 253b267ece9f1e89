'use client'

import { useState } from 'react'
import { ChoiceButtons } from '#components/ui/choice-buttons.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { sendExplorerRequest } from '#lib/actions/explorer.ts'
import type { ExplorerEndpoint } from '#lib/console/lab/shapes.ts'
import { JsonText } from './json-text.tsx'
import { type SnippetLanguage, snippetLanguages, snippetOf, snippetRequest } from './snippets.ts'

/** The request as it would be sent from anywhere else. */
export function SnippetPanel({
  baseUrl,
  endpoint,
  input,
}: {
  baseUrl: string
  endpoint: ExplorerEndpoint
  input: Parameters<typeof sendExplorerRequest>[0]
}) {
  const [language, setLanguage] = useState<SnippetLanguage>('curl')
  return (
    <Panel
      title="Code"
      actions={
        <ChoiceButtons
          label="Language"
          options={snippetLanguages.map(({ id, label }) => ({ value: id, label }))}
          value={language}
          onChange={setLanguage}
        />
      }
    >
      <JsonText label="snippet" text={snippetOf(language, snippetRequest(baseUrl, endpoint, input))} />
      <p className="mt-2 text-xs text-faint">
        Set ACCESS_KEY and PRIVATE_KEY first; the docs say where the built-in service has them.
      </p>
    </Panel>
  )
}

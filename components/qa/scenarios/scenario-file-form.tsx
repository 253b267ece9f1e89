import { Play } from 'lucide-react'
import { useRef, useState } from 'react'
import { FileChooser } from '#components/form/file-chooser.tsx'
import { FileTextField } from '#components/form/file-text-field.tsx'
import { Button } from '#components/ui/button.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { quietLink } from '#components/ui/text-link.tsx'
import { apiRoutes } from '#lib/shared/routes.ts'
import type { useScenarioRuns } from './use-scenario-runs.ts'
import { givenValues, VariableFields } from './variable-fields.tsx'

const largestFile = 200_000
const example = 'scenario: A card is locked\nsteps:\n  - use: card\n  - call: POST /cards/lock\n    …'

/** A scenario file: pasted, chosen or `given`. Mistakes are listed with line and column. */
export function ScenarioFileForm({ given, runs }: { given: string; runs: ReturnType<typeof useScenarioRuns> }) {
  const [text, setText] = useState(given)
  const [values, setValues] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState<string | null>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  const { mistakes, variables } = runs

  function change(next: string) {
    setText(next)
    setProblem(null)
    runs.forgetFile()
  }

  async function take(file: File) {
    if (file.size > largestFile) return setProblem(`${file.name} is larger than 200 kB.`)
    // Of these line ends a text area makes one character, by which places are counted.
    change((await file.text()).replaceAll('\r\n', '\n'))
    area.current?.focus()
  }

  /** Puts the cursor where a mistake is. */
  function show({ line, column }: { line: number; column: number }) {
    const before = text.split('\n').slice(0, line - 1)
    const offset = before.reduce((sum, one) => sum + one.length + 1, 0) + column - 1
    area.current?.focus()
    area.current?.setSelectionRange(offset, offset)
  }

  return (
    <Panel title="Your own file">
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          // Values of a file that was here before have no field.
          const shown = variables.map(({ name }) => [name, values[name] ?? ''] as const)
          void runs.start({ text, variables: givenValues(Object.fromEntries(shown)) })
        }}
      >
        <FileTextField
          label="Paste YAML, or choose a file"
          hint="docs/scenarios.md describes the format."
          error={problem ?? (mistakes.length > 0 ? 'The file has mistakes. Nothing was run.' : null)}
          text={text}
          onText={change}
          onFile={(file) => void take(file)}
          area={area}
          rows={12}
          placeholder={example}
        />
        {mistakes.length > 0 && (
          <ul className="grid gap-1 text-xs" aria-label="Mistakes in the file">
            {mistakes.map((mistake) => (
              <li key={`${mistake.line}:${mistake.column}:${mistake.message}`}>
                <button type="button" className={`text-left ${quietLink}`} onClick={() => show(mistake)}>
                  Line {mistake.line}, column {mistake.column}
                </button>
                <span className="text-soft">: {mistake.message}</span>
              </li>
            ))}
          </ul>
        )}
        {variables.length > 0 && (
          <section aria-label="Variables in the file" className="@container grid gap-3">
            <output className="text-soft">{runs.needsValues && 'This file needs values. Nothing has run yet.'}</output>
            <VariableFields variables={variables} values={values} onValues={setValues} />
          </section>
        )}
        <div className="flex flex-wrap items-center gap-2">
          <FileChooser
            label="Scenario file"
            accept=".yaml,.yml,text/yaml,application/yaml"
            onChoose={(file) => void take(file)}
          />
          <Button
            type="submit"
            variant="primary"
            icon={<Play aria-hidden="true" />}
            isPending={runs.isPending}
            unavailable={text.trim() === '' ? 'Paste YAML or choose a file first.' : undefined}
          >
            Run file
          </Button>
          <a href={apiRoutes.scenarioSchema()} className={`ml-auto text-xs ${quietLink}`}>
            JSON Schema for your editor
          </a>
        </div>
      </form>
    </Panel>
  )
}

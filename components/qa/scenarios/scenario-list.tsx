import { Download, Play, SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { useEnvironment } from '#components/environment/use-environment.ts'
import { toOptions } from '#components/form/options.ts'
import { SelectField } from '#components/form/select-field.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { buttonStyle } from '#components/ui/button-style.ts'
import { Button } from '#components/ui/button.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { readUrl } from '#lib/api/reads.ts'
import type { ListedScenario } from '#lib/qa/lab/types.ts'
import { givenValues, VariableFields } from './variable-fields.tsx'

/** The built-in scenarios: each can be run, and its file downloaded. */
export function ScenarioList({
  scenarios,
  tag,
  onTag,
  isPending,
  onRun,
}: {
  scenarios: readonly ListedScenario[]
  tag: string | null
  onTag: (tag: string | null) => void
  isPending: boolean
  onRun: (scenario: ListedScenario, variables: Record<string, string>) => void
}) {
  const tags = [...new Set(scenarios.flatMap((one) => one.tags))].toSorted()
  const shown = scenarios.filter((one) => tag === null || one.tags.includes(tag))
  return (
    <Panel
      title="Built-in scenarios"
      note={`${shown.length}`}
      isFlush
      actions={
        <SelectField
          label="Tag"
          isLabelHidden
          placeholder="All tags"
          value={tag ?? ''}
          options={toOptions(tags)}
          onChange={(event) => onTag(event.target.value || null)}
          className="w-40"
        />
      }
    >
      <ul className="divide-y">
        {shown.map((scenario) => (
          <ScenarioItem
            key={scenario.name}
            scenario={scenario}
            isPending={isPending}
            onRun={(variables) => onRun(scenario, variables)}
          />
        ))}
      </ul>
    </Panel>
  )
}

function ScenarioItem({
  scenario: { name, title, description, tags: own, cases, variables },
  isPending,
  onRun,
}: {
  scenario: ListedScenario
  isPending: boolean
  onRun: (variables: Record<string, string>) => void
}) {
  const environment = useEnvironment()
  const [isOpen, setIsOpen] = useState(false)
  const [values, setValues] = useState<Record<string, string>>({})
  return (
    <li className="grid gap-x-3 gap-y-2 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <h3 className="font-medium">{title}</h3>
        <p className="mt-0.5 text-xs text-soft">{description}</p>
        <p className="mt-1.5 flex flex-wrap gap-1">
          {cases > 1 && <Badge tone="accent">{cases} cases</Badge>}
          {own.map((one) => (
            <Badge key={one}>{one}</Badge>
          ))}
        </p>
      </div>
      <div className="flex items-start gap-1">
        {variables.length > 0 && (
          <button
            type="button"
            aria-label={`Variables of ${title}`}
            title="Variables"
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
            className={buttonStyle({ variant: 'quiet', size: 'small', isSquare: true })}
          >
            <SlidersHorizontal aria-hidden="true" />
          </button>
        )}
        <a
          href={readUrl('scenarioYaml', environment, [name])}
          download={`${name}.yaml`}
          aria-label={`Download ${name}.yaml`}
          title={`Download ${name}.yaml`}
          className={buttonStyle({ variant: 'quiet', size: 'small', isSquare: true })}
        >
          <Download aria-hidden="true" />
        </a>
        <Button
          size="small"
          icon={<Play aria-hidden="true" />}
          isPending={isPending}
          aria-label={`Run ${title}`}
          onClick={() => onRun(isOpen ? givenValues(values) : {})}
        >
          Run
        </Button>
      </div>
      {isOpen && (
        <section aria-label={`Values for ${title}`} className="@container mt-1 rounded-panel border p-3 sm:col-span-2">
          <VariableFields {...{ variables, values }} onValues={setValues} />
        </section>
      )}
    </li>
  )
}

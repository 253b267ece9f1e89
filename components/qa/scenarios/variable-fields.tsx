import { TextField } from '#components/form/text-field.tsx'
import type { ScenarioVariable } from '#lib/qa/lab/types.ts'
import { AccountPicker, CardPicker } from '../pickers.tsx'

/** Fields for a scenario's variables. An empty field keeps the scenario's own value. */
export function VariableFields({
  variables,
  values,
  onValues,
}: {
  variables: readonly ScenarioVariable[]
  values: Readonly<Record<string, string>>
  onValues: (values: Record<string, string>) => void
}) {
  const isNeeded = (name: string) => variables.some((one) => one.name === name)
  return (
    <div className="grid gap-3 @md:grid-cols-2">
      {variables.map(({ name, value: usual }) => {
        const shared = { label: name, isOptional: usual !== null, value: values[name] ?? '' }
        const choose = (next: string) => onValues({ ...values, [name]: next })
        if (name === 'cardAccountId') {
          return <AccountPicker key={name} {...shared} onChoose={choose} />
        }
        if (name === 'cardId' && isNeeded('cardAccountId')) {
          const cardAccountId = values.cardAccountId ?? ''
          return <CardPicker key={name} {...{ cardAccountId, ...shared }} onChoose={choose} />
        }
        return (
          <TextField
            key={name}
            {...shared}
            maxLength={10_000}
            placeholder={usual ?? ''}
            onChange={(event) => choose(event.target.value)}
          />
        )
      })}
    </div>
  )
}

/** The values without the empty ones. */
export function givenValues(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''))
}

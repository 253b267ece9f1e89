import { useId } from 'react'

/** One of a few options, all of them in sight, each with what it means. */
export function ChoiceField<Value extends string>({
  legend,
  options,
  value,
  onChoose,
}: {
  legend: string
  options: readonly { value: Value; label: string; hint?: string }[]
  value: Value
  onChoose: (value: Value) => void
}) {
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-soft">{legend}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {options.map((option) => (
          <label
            key={option.value}
            className="flex cursor-pointer items-start gap-2 rounded-control border border-edge/70 px-2.5 py-2 hover:border-edge has-checked:border-accent has-checked:bg-accent-wash"
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={value === option.value}
              onChange={() => onChoose(option.value)}
              className="mt-0.5 size-4 shrink-0 cursor-pointer appearance-none rounded-full border border-edge bg-surface checked:border-[0.3125rem] checked:border-accent"
            />
            <span className="min-w-0">
              <span className="block font-medium">{option.label}</span>
              {option.hint && <span className="block text-xs text-soft">{option.hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

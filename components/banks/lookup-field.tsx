'use client'

import { Search } from 'lucide-react'
import { useState } from 'react'
import { TextField } from '#components/form/text-field.tsx'
import { Button } from '#components/ui/button.tsx'

/** A field for a code to look up; its error is shown below it. */
export function LookupField({
  label,
  hint,
  value,
  error,
  check,
  onLookUp,
  isPending,
}: {
  label: string
  hint: string
  /** The last text looked up, from the URL. */
  value: string
  /** Why that could not be found. */
  error: string | undefined
  /** Why a text cannot be looked up; null where it can. */
  check: (text: string) => string | undefined
  onLookUp: (text: string) => void
  isPending: boolean
}) {
  const [text, setText] = useState(value)
  const [shown, setShown] = useState(value)
  const [problem, setProblem] = useState<string>()
  if (value !== shown) {
    setShown(value)
    setText(value)
    setProblem(undefined)
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const requested = text.trim().toUpperCase()
        const wrong = check(requested)
        setProblem(wrong)
        if (wrong === undefined) {
          setText(requested)
          onLookUp(requested)
        }
      }}
      className="flex flex-wrap items-start gap-2"
    >
      <TextField
        label={label}
        hint={hint}
        error={problem ?? (text === value ? error : undefined)}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setProblem(undefined)
        }}
        isMono
        spellCheck={false}
        autoCapitalize="characters"
        className="min-w-0 flex-1 basis-44 sm:max-w-72"
      />
      <Button type="submit" size="large" icon={<Search />} isPending={isPending} className="mt-6">
        Look up
      </Button>
    </form>
  )
}

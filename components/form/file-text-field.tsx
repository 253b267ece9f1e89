'use client'

import type { ReactNode, RefObject } from 'react'
import { countAsEntered } from '#components/ui/typed-work.ts'
import { useReplayPreHydrationInput } from './early-entry.ts'
import { controlStyle, Field } from './field.tsx'

/** A text of many lines that is typed, pasted, or read from a file that is dropped on it. `area` is for moving the cursor there. */
export function FileTextField({
  label,
  hint,
  error,
  text,
  onText,
  onFile,
  area,
  rows,
  placeholder,
}: {
  label: string
  hint: string
  error: ReactNode
  text: string
  onText: (text: string) => void
  onFile: (file: File) => void
  area: RefObject<HTMLTextAreaElement | null>
  rows: number
  placeholder: string
}) {
  const earlyEntry = useReplayPreHydrationInput()
  return (
    <Field label={label} hint={hint} error={error}>
      {(wiring) => (
        <textarea
          {...wiring}
          ref={(element) => {
            area.current = element
            earlyEntry(element)
          }}
          value={text}
          onChange={(event) => onText(event.target.value)}
          onDrop={(event) => {
            const [file] = event.dataTransfer.files
            if (!file) return
            event.preventDefault()
            countAsEntered(event.currentTarget)
            onFile(file)
          }}
          rows={rows}
          spellCheck={false}
          autoComplete="off"
          wrap="off"
          placeholder={placeholder}
          className={`${controlStyle} h-auto min-h-48 resize-y py-2 font-mono text-xs/5`}
        />
      )}
    </Field>
  )
}

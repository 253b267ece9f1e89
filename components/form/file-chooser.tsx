'use client'

import { FileUp } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '#components/ui/button.tsx'

/** A button that opens the browser's file dialog. `label` names the input; `accept` lists file types. */
export function FileChooser({
  label,
  accept,
  onChoose,
}: {
  label: string
  accept: string
  onChoose: (file: File) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button icon={<FileUp aria-hidden="true" />} onClick={() => input.current?.click()}>
        Choose a file…
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        aria-label={label}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file) onChoose(file)
          // The same file can be chosen again.
          event.target.value = ''
        }}
      />
    </>
  )
}

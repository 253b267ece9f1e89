'use client'

import { Download, ListChecks } from 'lucide-react'
import { useRef, useState } from 'react'
import { FileChooser } from '#components/form/file-chooser.tsx'
import { FileTextField } from '#components/form/file-text-field.tsx'
import { Button } from '#components/ui/button.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { Panel } from '#components/ui/panel.tsx'
import type { CsvProblem } from '#lib/console/limits/types.ts'

const largestFile = 1024 * 1024

/** The form for a pasted or chosen file. A refused file stays in the form, so that it can be corrected. */
export function LimitFileForm({
  text,
  onText,
  problem,
  onError,
  isReading,
  isRead,
  isFolded,
  onFold,
  onPreview,
}: {
  text: string
  onText: (text: string) => void
  problem: CsvProblem | null
  onError: (problem: CsvProblem) => void
  isReading: boolean
  /** The preview of the lines is below: the text may be folded away. */
  isRead: boolean
  isFolded: boolean
  onFold: (isFolded: boolean) => void
  onPreview: () => void
}) {
  const area = useRef<HTMLTextAreaElement>(null)
  const [fileName, setFileName] = useState<string | null>(null)

  async function take(file: File) {
    if (file.size > largestFile) {
      onError({ line: null, problem: `${file.name} is larger than 1 MB. Split it and start a job for each part.` })
      return
    }
    setFileName(file.name)
    // Bytes that are no UTF-8 become marks that the server refuses with their line.
    onText(new TextDecoder().decode(await file.arrayBuffer()))
    area.current?.focus()
  }

  return (
    <Panel
      title="The file"
      actions={
        <a
          href="/templates/fixed-limits.csv"
          download
          className="inline-flex items-center gap-1.5 text-soft underline decoration-line underline-offset-2 hover:text-ink hover:decoration-current"
        >
          <Download aria-hidden="true" className="size-3.5" />
          Template
        </a>
      }
    >
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          onPreview()
        }}
      >
        <Disclosure title={isRead ? 'The lines' : null} isOpen={!isFolded} onOpen={(isOpen) => onFold(!isOpen)}>
          <FileTextField
            label={fileName === null ? 'Paste the lines, or choose a file' : `The text of ${fileName}`}
            hint="Columns: cardAccountId or xid, and limit. At most 5,000 lines and 1 MB."
            error={problem && problemText(problem)}
            text={text}
            onText={(typed) => {
              setFileName(null)
              onText(typed)
            }}
            onFile={(file) => void take(file)}
            area={area}
            rows={9}
            placeholder={'cardAccountId,limit\n6f9619ff-8b86-4d01-b42d-00cf4fc964ff,25000.00'}
          />
        </Disclosure>
        <div className="flex flex-wrap items-center gap-2">
          <FileChooser
            label="File of limits"
            accept=".csv,.tsv,.txt,text/csv,text/plain"
            onChoose={(file) => void take(file)}
          />
          <Button
            type="submit"
            variant="primary"
            icon={<ListChecks aria-hidden="true" />}
            isPending={isReading}
            unavailable={text.trim() === '' ? 'Paste lines or choose a file first.' : undefined}
          >
            Check the lines
          </Button>
        </div>
      </form>
    </Panel>
  )
}

function problemText({ line, problem }: CsvProblem): string {
  return `${line === null ? '' : `Line ${line}: `}${problem} Nothing was changed.`
}

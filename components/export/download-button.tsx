'use client'

import { Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { type DownloadedFile, ReadError, readFile } from '#lib/queries/read.ts'

type Saved = Pick<DownloadedFile, 'name' | 'facts'>
type Problem = { message: string; requestId: string | null }

/** Downloads a file of the console's API, and reports where it could not be made. `path` gets the page's IANA zone. */
export function DownloadButton({ path, label }: { path: (zone: string) => string; label: string }) {
  const zone = usePageZone()
  const making = useRef<AbortController | null>(null)
  const [isMaking, setIsMaking] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [saved, setSaved] = useState<Saved | null>(null)
  useEffect(() => () => making.current?.abort(), [])

  async function take() {
    if (making.current) return
    const controller = new AbortController()
    making.current = controller
    setIsMaking(true)
    setProblem(null)
    setSaved(null)
    try {
      const { name, facts, content } = await readFile(path(zone.name), controller.signal)
      save(name, content)
      setSaved({ name, facts })
    } catch (error) {
      if (!controller.signal.aborted) setProblem(problemOf(error))
    } finally {
      making.current = null
      setIsMaking(false)
    }
  }

  return (
    <>
      <Button icon={<Download aria-hidden="true" />} isPending={isMaking} onClick={() => void take()}>
        {label}
      </Button>
      <output className="basis-full empty:hidden">
        {saved && (
          <span className="block text-right text-xs text-soft">
            <span className="block wrap-anywhere">Saved {saved.name}</span>
            {saved.facts.map(([label, value]) => (
              <span key={label} className="inline-block pl-3 wrap-anywhere">
                {label}: <span className={value.startsWith('NO') ? 'text-bad' : 'text-ink'}>{value}</span>
              </span>
            ))}
            {saved.facts.length > 0 && (
              <Button size="small" variant="quiet" className="ml-3" onClick={() => saveFacts(saved)}>
                Save these facts
              </Button>
            )}
          </span>
        )}
      </output>
      {problem && (
        <p role="alert" className="basis-full text-right text-xs text-bad">
          Not exported. {problem.message} {problem.requestId && <IdText id={problem.requestId} label="request ID" />}
        </p>
      )}
    </>
  )
}

/** The facts about an export as a text file beside it, for a person who gets the CSV alone. */
function saveFacts({ name, facts }: Saved): void {
  const lines = [['File', name], ...facts].map(([label, value]) => `${label}: ${value}\n`)
  save(name.replace(/\.csv$/, '.txt'), new Blob(lines, { type: 'text/plain;charset=utf-8' }))
}

function save(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

function problemOf(error: unknown): Problem {
  if (error instanceof ReadError) return { message: error.message, requestId: error.requestId }
  return { message: 'The download was interrupted. Try again.', requestId: null }
}

'use client'

import { Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { formatCount } from '#components/ui/count.ts'
import { IdText } from '#components/ui/id-text.tsx'
import { usePageZone } from '#components/ui/page-zone.tsx'
import { showToast } from '#components/ui/toasts.tsx'
import { type DownloadedFile, ReadError, readFile } from '#lib/queries/read.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { saveFile } from './save-file.ts'

/** Long enough to come back from the browser's list of downloads. */
const shownMs = minuteMs / 2

/** Downloads a file of the console's API. A toast reports the file, or why there is none. `path` gets the page's IANA zone. */
export function DownloadButton({ path, label }: { path: (zone: string) => string; label: string }) {
  const zone = usePageZone()
  const making = useRef<AbortController | null>(null)
  const [isMaking, setIsMaking] = useState(false)
  useEffect(() => () => making.current?.abort(), [])

  async function take() {
    if (making.current) return
    const controller = new AbortController()
    making.current = controller
    setIsMaking(true)
    try {
      const file = await readFile(path(zone.name), controller.signal)
      saveFile(file.name, file.content)
      reportSaved(file)
    } catch (error) {
      if (!controller.signal.aborted) reportFailure(error)
    } finally {
      making.current = null
      setIsMaking(false)
    }
  }

  return (
    <Button icon={<Download aria-hidden="true" />} isPending={isMaking} onClick={() => void take()}>
      {label}
    </Button>
  )
}

function reportSaved(file: DownloadedFile): void {
  const facts = new Map(file.facts)
  const rows = facts.get('Rows')
  const [, gap] = /^NO: (.*)/.exec(facts.get('Complete') ?? '') ?? []
  showToast({
    tone: gap === undefined ? 'good' : 'warn',
    title: `Saved ${rows === undefined ? 'the file' : formatCount(Number(rows), 'row')}${gap === undefined ? '' : ', not all of them'}`,
    description: (
      <>
        <span className="block wrap-anywhere">{file.name}</span>
        {gap !== undefined && <span className="block">Missing: {gap}.</span>}
      </>
    ),
    timeoutMs: shownMs,
    ...(file.facts.length > 0 && { action: { label: 'Save details', onPress: () => saveFacts(file) } }),
  })
}

function reportFailure(error: unknown): void {
  const isRead = error instanceof ReadError
  showToast({
    tone: 'bad',
    title: 'Nothing was saved',
    description: (
      <>
        {isRead ? error.message : 'The download was interrupted. Try again.'}{' '}
        {isRead && error.requestId && <IdText id={error.requestId} label="request ID" />}
      </>
    ),
    timeoutMs: shownMs,
  })
}

/** The facts about a file as a text file beside it, for a person who gets the CSV alone. */
function saveFacts({ name, facts }: Pick<DownloadedFile, 'name' | 'facts'>): void {
  const lines = [['File', name], ...facts].map(([label, value]) => `${label}: ${value}\n`)
  saveFile(name.replace(/\.csv$/, '.txt'), new Blob(lines, { type: 'text/plain;charset=utf-8' }))
}

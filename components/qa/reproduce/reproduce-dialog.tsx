'use client'

import { useQueryClient } from '@tanstack/react-query'
import { Download, FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '#components/environment/use-environment.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { saveFile } from '#components/export/save-file.ts'
import { errorSentences } from '#components/form/error-sentence.ts'
import { useAction } from '#components/operations/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { Dialog, type DialogProps } from '#components/ui/dialog.tsx'
import { FactList } from '#components/ui/fact-list.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { Time } from '#components/ui/time.tsx'
import type { BuiltReproduction } from '#lib/qa/reproduce/types.ts'
import { routes } from '#lib/shared/routes.ts'
import { forgetSandboxes } from '../use-sandbox.ts'

/** A record whose state is reproduced. */
export type Reproduced =
  | { type: 'account'; id: string }
  | { type: 'transaction'; id: string; cardAccountId: string }
  | { type: 'payout'; id: string }

const nouns = { account: 'card account', transaction: 'transaction', payout: 'payout' } as const

/** Shows what a reproduction lacks, gives its file, and makes a sandbox that holds it. */
export function ReproduceDialog({ record, ...dialog }: DialogProps & { record: Reproduced }) {
  const { type, id } = record
  const search = record.type === 'transaction' ? { cardAccountId: record.cardAccountId } : {}
  const reproduction = useRead('readReproduction', type, id, search)
  const client = useQueryClient()
  const { isPending, problem, errors, run } = useAction()
  const [built, setBuilt] = useState<BuiltReproduction | null>(null)
  const { data } = reproduction
  const failure = problem?.happened ?? errorSentences(errors)

  async function build() {
    setBuilt(null)
    const result = await run('buildReproduction', { type, id, ...search })
    if (!result) return
    forgetSandboxes(client, 'sandbox')
    setBuilt(result)
  }

  return (
    <Dialog
      {...dialog}
      isLocked={isPending}
      title={`Reproduce this ${nouns[type]}?`}
      description="A scenario reaches the same state in a sandbox. Names, numbers and ids in it are invented."
      footer={
        <>
          <Button onClick={dialog.onClose}>Close</Button>
          <Button
            icon={<Download aria-hidden="true" />}
            unavailable={data ? undefined : 'Not read yet'}
            reason="described"
            onClick={() => data && saveFile(`${type}.yaml`, new Blob([data.text], { type: 'application/yaml' }))}
          >
            Download scenario
          </Button>
          <Button
            variant="primary"
            icon={<FlaskConical aria-hidden="true" />}
            isPending={isPending}
            unavailable={data?.hasLab ? undefined : data ? 'This console has no built-in sandbox' : 'Not read yet'}
            reason={data ? 'beside' : 'described'}
            onClick={() => void build()}
          >
            {built ? 'Make another sandbox' : 'Make sandbox'}
          </Button>
        </>
      }
    >
      <WhenRead query={reproduction} what="The reproduction" blocks={['h-5', 'h-16']}>
        {({ notBuilt }) => (
          <div className="grid min-w-0 gap-4">
            {notBuilt.length > 0 ? (
              <section aria-label="Not as in the original">
                <h3 className="font-medium">Not as in the original</h3>
                <ul className="mt-1 grid list-disc gap-1 pl-5 text-soft">
                  {notBuilt.map((sentence) => (
                    <li key={sentence}>{sentence}</li>
                  ))}
                </ul>
              </section>
            ) : (
              <p>The sandbox reaches everything that the records say.</p>
            )}
            {failure !== '' && (
              <Callout tone="bad" title="Couldn’t make the sandbox." isAlert>
                {failure}
              </Callout>
            )}
            {built && <BuiltSandbox built={built} type={type} />}
          </div>
        )}
      </WhenRead>
    </Dialog>
  )
}

/** State of the sandbox, and a link to it. */
export function BuiltSandbox({ built, type }: { built: BuiltReproduction; type: Reproduced['type'] }) {
  const { failure, differences, recordId, sandbox, passed, steps } = built
  const isSame = failure === null && differences?.length === 0
  const [shown, more] = [differences?.slice(0, 5) ?? [], Math.max(0, (differences?.length ?? 0) - 5)]
  return (
    <>
      <Callout
        tone={isSame ? 'good' : failure === null ? 'warn' : 'bad'}
        title={
          isSame
            ? 'The sandbox has the same state.'
            : failure === null
              ? 'The sandbox differs.'
              : `The scenario stopped after ${passed} of ${steps} steps.`
        }
        isAlert
      >
        {failure ?? (isSame ? 'Its clock is stopped, so that nothing changes by itself.' : null)}
        {shown.length > 0 && (
          <ul className="grid list-disc gap-1 pl-5 wrap-anywhere">
            {shown.map((difference) => (
              <li key={difference}>{difference}</li>
            ))}
            {more > 0 && <li>{more} more</li>}
          </ul>
        )}
        {differences === null && failure === null && 'Its state couldn’t be read.'}
      </Callout>
      <FactList
        isFramed
        facts={[
          {
            label: 'Lab',
            value: <TextLink href={routes.lab('sandbox', { sandbox: sandbox.id })}>Open in the QA lab</TextLink>,
          },
          { label: 'Base URL', value: <IdText id={sandbox.baseUrl} label="base URL" isWhole /> },
          { label: 'Control URL', value: <IdText id={sandbox.controlUrl} label="control URL" isWhole /> },
          {
            label: type === 'payout' ? 'Payout there' : 'Account there',
            value: recordId === null ? 'Not made' : <IdText id={recordId} label="id in the sandbox" isWhole />,
          },
          { label: 'Until', value: <Time instant={sandbox.expiresAt} format="exact" isZoneShown /> },
        ]}
      />
    </>
  )
}

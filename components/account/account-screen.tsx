'use client'

import { useQuery } from '@tanstack/react-query'
import { KeyRound, LogOut } from 'lucide-react'
import { useRouter, useSearchParams } from 'next/navigation'
import { useState } from 'react'
import { DataTable } from '#components/data-table/data-table.tsx'
import { WhenRead } from '#components/environment/when-read.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Loading, Skeleton } from '#components/ui/skeleton.tsx'
import { roleNames } from '#lib/console/desk/permissions.ts'
import type { OwnAccount, OwnSession, Passkey } from '#lib/console/desk/shapes.ts'
import { readQuery } from '#lib/queries/reads.ts'
import { returnPath, type Environment } from '#lib/shared/routes.ts'
import { passkeyColumns, sessionColumns } from './account-columns.tsx'
import { EndSessionDialog, PasskeyNameDialog, RemovePasskeyDialog } from './account-dialogs.tsx'

/** What a person can open here, one at a time. */
type Question =
  | { about: 'new-passkey' }
  | { about: 'rename' | 'remove'; passkey: Passkey }
  | { about: 'end'; session: OwnSession | 'others' }

/** The person's own passkeys and sessions. */
export function AccountScreen({ environment }: { environment: Environment }) {
  const query = useQuery(readQuery('readOwnAccount', environment))
  const [question, setQuestion] = useState<{ times: number; isOpen: boolean; about: Question } | null>(null)
  const router = useRouter()
  /** Where a person came from who needed a passkey; `/` for nowhere. */
  const back = returnPath(useSearchParams().get('back'))
  const ask = (about: Question) => setQuestion((last) => ({ times: (last?.times ?? 0) + 1, isOpen: true, about }))
  return (
    <div className="grid min-w-0 gap-5">
      <PageHeader
        title="Your account"
        breadcrumbs={[{ label: 'Settings' }, { label: 'Your account' }]}
        {...(query.data ? { subtitle: subtitleOf(query.data) } : {})}
      />
      <WhenRead query={query} what="Your account" skeleton={<AccountSkeleton />}>
        {(account) => <AccountPanels account={account} ask={ask} isReturning={back !== '/'} />}
      </WhenRead>
      {question && (
        <QuestionDialog
          key={question.times}
          environment={environment}
          question={question.about}
          isOpen={question.isOpen}
          onEnrolled={() => back !== '/' && router.push(back)}
          onClose={() => setQuestion((last) => last && { ...last, isOpen: false })}
        />
      )}
    </div>
  )
}

function subtitleOf({ staff: { name, email, role } }: OwnAccount): string {
  return [name, ...(email && email !== name ? [email] : []), roleNames[role]].join(' · ')
}

function AccountPanels({
  account,
  ask,
  isReturning,
}: {
  account: OwnAccount
  ask: (question: Question) => void
  isReturning: boolean
}) {
  const { passkeys, sessions, isStepUpRequired } = account
  return (
    <>
      {isStepUpRequired && passkeys.length === 0 && (
        <Callout tone="warn" title="Add a passkey.">
          Revealing and cancelling cards, large payouts and changes of roles need one.
          {isReturning && ' You’ll return to where you were.'}
        </Callout>
      )}
      <Panel
        title="Passkeys"
        isFlush
        actions={
          <Button size="small" icon={<KeyRound />} onClick={() => ask({ about: 'new-passkey' })}>
            Add passkey…
          </Button>
        }
      >
        <DataTable
          tableId="passkeys"
          caption="Passkeys"
          columns={passkeyColumns((about, passkey) => ask({ about, passkey }))}
          rows={passkeys}
          rowId={({ id }) => id}
          empty={{ title: 'No passkeys yet', body: 'A passkey confirms actions that can do harm.' }}
          isBare
        />
      </Panel>
      <Panel
        title="Sessions"
        isFlush
        actions={
          sessions.length > 1 && (
            <Button size="small" icon={<LogOut />} onClick={() => ask({ about: 'end', session: 'others' })}>
              End all others…
            </Button>
          )
        }
      >
        <DataTable
          tableId="own-sessions"
          caption="Sessions"
          columns={sessionColumns((session) => ask({ about: 'end', session }))}
          rows={sessions}
          rowId={({ id }) => id}
          empty={{ title: 'No sessions' }}
          isBare
        />
      </Panel>
    </>
  )
}

function QuestionDialog({
  question,
  onEnrolled,
  ...props
}: {
  environment: Environment
  question: Question
  isOpen: boolean
  onClose: () => void
  onEnrolled: () => void
}) {
  if (question.about === 'end') return <EndSessionDialog {...props} session={question.session} />
  if (question.about === 'remove') return <RemovePasskeyDialog {...props} passkey={question.passkey} />
  if (question.about === 'rename') return <PasskeyNameDialog {...props} passkey={question.passkey} />
  return <PasskeyNameDialog {...props} passkey={null} onDone={onEnrolled} />
}

function AccountSkeleton() {
  return (
    <div className="grid gap-5">
      <Loading what="your account" />
      <Skeleton className="h-40 w-full rounded-panel" />
      <Skeleton className="h-40 w-full rounded-panel" />
    </div>
  )
}

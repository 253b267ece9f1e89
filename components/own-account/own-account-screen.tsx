'use client'

import { KeyRound, LogOut } from 'lucide-react'
import { useRouter, useSearchParams } from 'next/navigation'
import type { DataColumn } from '#components/data-table/data-column.ts'
import { DataTable } from '#components/data-table/data-table.tsx'
import { useRead } from '#components/environment/use-environment.ts'
import { WhenRead } from '#components/environment/when-read.tsx'
import { StatusBadge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { count } from '#components/ui/count.ts'
import { useOpened } from '#components/ui/dialog.tsx'
import { Page } from '#components/ui/page.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time.tsx'
import { roleNames } from '#lib/auth/permissions.ts'
import type { OwnAccount, OwnSession, Passkey } from '#lib/console/own-account/types.ts'
import { returnPath } from '#lib/shared/routes.ts'
import { EndSessionDialog, PasskeyNameDialog, RemovePasskeyDialog } from './account-dialogs.tsx'

/** The dialogs of this page, one open at a time. */
type Question =
  | { about: 'new-passkey'; needsSignIn: boolean }
  | { about: 'rename'; passkey: Passkey }
  | { about: 'remove'; passkey: Passkey }
  | { about: 'end'; session: OwnSession | 'others' }

/** The person's own passkeys and sessions. */
export function OwnAccountScreen() {
  const query = useRead('readOwnAccount')
  const { open, opened } = useOpened<{ question: Question }>()
  const router = useRouter()
  /** Where a person came from who needed a passkey; `/` for nowhere. */
  const back = returnPath(useSearchParams().get('back'))
  const ask = (question: Question) => open({ question })
  return (
    <Page title="Your account" above={[{ label: 'Settings' }]} subtitle={query.data && formatSubtitle(query.data)}>
      <WhenRead query={query} what="Your account" blocks={['h-40', 'h-40']}>
        {(account) => <AccountPanels account={account} ask={ask} isReturning={back !== '/'} />}
      </WhenRead>
      {opened && (
        <QuestionDialog
          key={opened.operationId}
          {...opened}
          takesPasskey={query.data !== undefined && (query.data.isStepUpRequired || query.data.passkeys.length > 0)}
          onEnrolled={() => back !== '/' && router.push(back)}
        />
      )}
    </Page>
  )
}

function formatSubtitle({ staff: { name, email, role } }: OwnAccount): string {
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
  const { passkeys, sessions, sessionCount, isStepUpRequired, needsSignIn } = account
  return (
    <>
      {isStepUpRequired && passkeys.length === 0 && (
        <Callout tone="warn" title="Add a passkey.">
          Revealing and cancelling cards, large payouts, changes of roles and ending other sessions need one.
          {isReturning && ' You’ll return to where you were.'}
        </Callout>
      )}
      <Panel
        title="Passkeys"
        isFlush
        actions={
          <Button size="small" icon={<KeyRound />} onClick={() => ask({ about: 'new-passkey', needsSignIn })}>
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
        {sessionCount > sessions.length && (
          <p className="border-t px-4 py-2 text-soft">and {count.format(sessionCount - sessions.length)} older ones</p>
        )}
      </Panel>
    </>
  )
}

function QuestionDialog({
  question,
  takesPasskey,
  onEnrolled,
  ...props
}: {
  question: Question
  takesPasskey: boolean
  isOpen: boolean
  onClose: () => void
  onEnrolled: () => void
}) {
  if (question.about === 'end') return <EndSessionDialog {...props} {...question} takesPasskey={takesPasskey} />
  if (question.about === 'remove') return <RemovePasskeyDialog {...props} passkey={question.passkey} />
  if (question.about === 'rename') return <PasskeyNameDialog {...props} passkey={question.passkey} />
  return <PasskeyNameDialog {...props} passkey={null} needsSignIn={question.needsSignIn} onDone={onEnrolled} />
}

function passkeyColumns(onAsk: (about: 'rename' | 'remove', passkey: Passkey) => void): DataColumn<Passkey>[] {
  return [
    { id: 'name', header: 'Name', cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span> },
    {
      id: 'created',
      header: 'Added',
      priority: 2,
      cell: ({ createdAt }) => <Time instant={createdAt} />,
    },
    {
      id: 'used',
      header: 'Last used',
      priority: 2,
      cell: ({ lastUsedAt }) => <Time instant={lastUsedAt} missing="Never" />,
    },
    {
      id: 'action',
      header: 'Action',
      isHideable: false,
      align: 'end',
      cell: (passkey) => (
        <span className="inline-flex flex-wrap justify-end gap-2">
          <Button size="small" variant="quiet" onClick={() => onAsk('rename', passkey)}>
            <span>
              Rename<span className="sr-only"> {passkey.name}</span>
            </span>
          </Button>
          <Button size="small" variant="danger-quiet" onClick={() => onAsk('remove', passkey)}>
            <span>
              Remove<span className="sr-only"> {passkey.name}</span>
            </span>
          </Button>
        </span>
      ),
    },
  ]
}

function sessionColumns(onEnd: (session: OwnSession) => void): DataColumn<OwnSession>[] {
  return [
    {
      id: 'device',
      header: 'Device',
      cell: ({ device }) => <span className="font-medium">{device}</span>,
      below: ({ ipAddress, lastActiveAt }) => (
        <>
          <span className="font-mono">{ipAddress ?? 'Address unknown'}</span>
          <span className="block @min-[40rem]:hidden">
            Active <Time instant={lastActiveAt} />
          </span>
        </>
      ),
    },
    {
      id: 'created',
      header: 'Signed in',
      priority: 2,
      cell: ({ createdAt }) => <Time instant={createdAt} />,
    },
    {
      id: 'active',
      header: 'Last active',
      priority: 2,
      cell: ({ lastActiveAt }) => <Time instant={lastActiveAt} />,
    },
    {
      id: 'expires',
      header: 'Ends by',
      priority: 3,
      cell: ({ expiresAt }) => <Time instant={expiresAt} />,
    },
    {
      id: 'action',
      header: 'Action',
      isHideable: false,
      align: 'end',
      cell: (session) =>
        session.isCurrent ? (
          <StatusBadge tone="good" label="This session" />
        ) : (
          <Button size="small" variant="danger-quiet" onClick={() => onEnd(session)}>
            <span>
              End<span className="sr-only"> the session of {session.device}</span>
            </span>
          </Button>
        ),
    },
  ]
}

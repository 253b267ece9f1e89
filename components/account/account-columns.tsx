import type { DataColumn } from '#components/data-table/data-column.ts'
import { Button } from '#components/ui/button.tsx'
import { StatusBadge } from '#components/ui/status-badge.tsx'
import { Time } from '#components/ui/time.tsx'
import type { OwnSession, Passkey } from '#lib/console/desk/shapes.ts'

export function passkeyColumns(onAsk: (about: 'rename' | 'remove', passkey: Passkey) => void): DataColumn<Passkey>[] {
  return [
    { id: 'name', header: 'Name', cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span> },
    {
      id: 'created',
      header: 'Added',
      priority: 2,
      cell: ({ createdAt }) => <Time instant={createdAt} format="date-time" />,
    },
    {
      id: 'used',
      header: 'Last used',
      priority: 2,
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? (
          <span className="text-faint">Never</span>
        ) : (
          <Time instant={lastUsedAt} format="date-time" />
        ),
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

export function sessionColumns(onEnd: (session: OwnSession) => void): DataColumn<OwnSession>[] {
  return [
    {
      id: 'device',
      header: 'Device',
      cell: ({ device }) => <span className="font-medium">{device}</span>,
      below: ({ ipAddress }) => <span className="font-mono">{ipAddress ?? 'Address unknown'}</span>,
    },
    {
      id: 'created',
      header: 'Signed in',
      priority: 2,
      cell: ({ createdAt }) => <Time instant={createdAt} format="date-time" />,
    },
    {
      id: 'active',
      header: 'Last active',
      priority: 3,
      cell: ({ lastActiveAt }) => <Time instant={lastActiveAt} format="date-time" />,
    },
    {
      id: 'expires',
      header: 'Ends by',
      priority: 3,
      cell: ({ expiresAt }) => <Time instant={expiresAt} format="date-time" />,
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

import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useEnvironment, useLab } from '#components/environment/use-environment.ts'
import { SelectField } from '#components/form/select-field.tsx'
import { TextField } from '#components/form/text-field.tsx'
import { refetchChanged } from '#components/operations/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import { runAction } from '#lib/actions/run-action.ts'
import { rejectionReasons } from '#lib/contract/individual-rules.ts'
import { routes } from '#lib/shared/routes.ts'
import { AccountsPicker, type ChosenAccount } from './pickers.tsx'
import { useSandbox } from './use-sandbox.ts'

const approve = 'approve'
const reject = 'reject'

type Line = ChosenAccount & { text: string }

/** Approves or rejects the identities of one or many accounts, one after the other. */
export function IdentitySimulator() {
  const environment = useEnvironment()
  const { sandbox, search } = useSandbox()
  const client = useQueryClient()
  const [accounts, setAccounts] = useState<readonly ChosenAccount[]>([])
  const [decision, setDecision] = useState<string>(approve)
  const [info, setInfo] = useState('')
  const [lines, setLines] = useState<Line[]>([])
  const [isPending, setIsPending] = useState(false)
  const takesReason = useLab() === 'built-in'

  async function run(event: FormEvent) {
    event.preventDefault()
    if (isPending || accounts.length === 0) return
    setIsPending(true)
    setLines([])
    for (const account of accounts) {
      const line = { ...account, text: await decide(account.id).catch(() => 'Carddesk didn’t respond.') }
      setLines((before) => [...before, line])
    }
    setIsPending(false)
    await refetchChanged(client, environment, 'performLabAction')
  }

  async function decide(cardAccountId: string): Promise<string> {
    const rejectedReason = rejectionReasons.find((reason) => reason === decision)
    const decided = decision === approve ? 'approve' : 'reject'
    const reason = {
      ...(rejectedReason ? { rejectedReason } : {}),
      ...(rejectedReason && info.trim() !== '' ? { rejectionAdditionalInfo: info } : {}),
    }
    if (sandbox !== null) {
      const given = { cardAccountId, action: decided, ...reason }
      const own = await runAction('performLabAction', { environment, ...search, action: 'decide-identity', given })
      if (own.kind === 'invalid') return Object.values(own.fields).join(' ')
      return own.kind === 'done' ? (rejectedReason ? 'Rejected.' : 'Approved.') : own.outcome.happened
    }
    const result = await runAction('identity.simulate', {
      environment,
      operationId: crypto.randomUUID(),
      cardAccountId,
      decision: decided,
      ...reason,
    })
    if (result.kind === 'invalid') return Object.values(result.fields).join(' ')
    return result.kind === 'settled' ? result.operation.outcome.happened : result.outcome.happened
  }

  return (
    <form className="grid gap-3" onSubmit={(event) => void run(event)}>
      <AccountsPicker label="Card accounts" accounts={accounts} onChange={setAccounts} />
      <SelectField
        label="Decision"
        options={[
          { value: approve, label: 'Approve' },
          // The interface's simulator takes no reason.
          ...(takesReason
            ? rejectionReasons.map((reason) => ({ value: reason, label: `Reject: ${reason}` }))
            : [{ value: reject, label: 'Reject' }]),
        ]}
        value={decision}
        onChange={(event) => setDecision(event.target.value)}
      />
      {takesReason && decision !== approve && (
        <TextField label="Additional info" isOptional value={info} onChange={(event) => setInfo(event.target.value)} />
      )}
      <div>
        <Button
          type="submit"
          variant="primary"
          isPending={isPending}
          {...(accounts.length === 0 ? { unavailable: 'Select an account first.' } : {})}
        >
          {decision === approve ? 'Approve' : 'Reject'}{' '}
          {accounts.length === 1 ? 'identity' : `${accounts.length} identities`}
        </Button>
      </div>
      <output className="empty:hidden">
        {lines.length > 0 && (
          <ul className="divide-y rounded-panel border">
            {lines.map(({ id, label, text: happened }) => (
              <li key={id} className="flex flex-wrap justify-between gap-x-3 px-3 py-2">
                {sandbox === null ? <TextLink href={routes.identityCase(environment, id)}>{label}</TextLink> : label}
                <span className="text-soft">{happened}</span>
              </li>
            ))}
          </ul>
        )}
      </output>
    </form>
  )
}

import { ArrowRight, KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { LogoMark } from '#components/layout/logo.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { isRole, roleNames, roleSummary } from '#lib/console/desk/permissions.ts'
import { DeskDrawing } from './desk-drawing.tsx'
import { signInMessage } from './sign-in-labels.ts'

export type SignInPanelProps = {
  choices:
    | { mode: 'demo'; staff: readonly { id: string; name: string; role: string }[] }
    | { mode: 'oidc'; issuer: string }
  /** Where the form goes: an address or a server action. Works before and without any script. */
  action: string | ((formData: FormData) => void | Promise<void>)
  /** What the form carries unseen, such as the token against forged requests and the page to go on to. */
  hidden: Readonly<Record<string, string>>
  /** The code of an attempt that failed. */
  error?: string | undefined
}

/** The sign-in page: one form, one press. */
export function SignInPanel({ choices, action, hidden, error }: SignInPanelProps) {
  const message = signInMessage(error)
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)] xl:grid-cols-[minmax(0,32rem)_minmax(0,1fr)]">
      <header className="relative hidden flex-col justify-between overflow-hidden border-r bg-surface p-10 lg:flex">
        <Brand />
        <DeskDrawing className="w-full max-w-96" />
        <p className="max-w-sm text-soft text-pretty">Run your card program from one place.</p>
      </header>
      <div className="flex flex-col px-4 py-6 sm:px-8">
        <header className="lg:hidden">
          <Brand />
        </header>
        <main className="m-auto w-full max-w-xl py-8">
          <h1 className="text-2xl font-semibold tracking-tight">Sign in</h1>
          <p className="mt-1 text-soft">
            {choices.mode === 'demo'
              ? 'Choose who you are. Each person holds one role.'
              : `Your company signs you in, at ${choices.issuer}.`}
          </p>
          {message && (
            <Callout tone={message.tone} title={message.title} isAlert className="mt-5">
              {message.body}
            </Callout>
          )}
          <form action={action} {...(typeof action === 'string' ? { method: 'post' } : {})} className="mt-5">
            {Object.entries(hidden).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            {choices.mode === 'demo' ? (
              <StaffButtons staff={choices.staff} />
            ) : (
              <Button type="submit" variant="primary" size="large" icon={<KeyRound />}>
                Sign in with your company account
              </Button>
            )}
          </form>
          {choices.mode === 'demo' && <DemoNote />}
        </main>
      </div>
    </div>
  )
}

function Brand() {
  return (
    <div className="flex items-center gap-3">
      <LogoMark className="size-8" />
      <span className="text-lg font-semibold tracking-tight">Carddesk</span>
    </div>
  )
}

function StaffButtons({ staff }: { staff: readonly { id: string; name: string; role: string }[] }) {
  return (
    <ul className="divide-y overflow-clip rounded-panel border bg-surface">
      {staff.map((person) => (
        <li key={person.id}>
          <button
            type="submit"
            name="staffId"
            value={person.id}
            className="group flex w-full items-center gap-3 px-4 py-2.5 text-left -outline-offset-2 transition-colors hover:bg-accent-wash"
          >
            <span className="min-w-0 flex-1">
              <span className="flex flex-wrap items-baseline gap-x-2">
                <span className="font-semibold">{isRole(person.role) ? roleNames[person.role] : person.role}</span>
                <span className="text-xs text-faint">{person.name}</span>
              </span>
              <span className="block text-soft">{isRole(person.role) && roleSummary(person.role)}</span>
            </span>
            <ArrowRight
              aria-hidden="true"
              className="size-4 shrink-0 text-faint transition-transform group-hover:translate-x-0.5 group-hover:text-accent"
            />
          </button>
        </li>
      ))}
    </ul>
  )
}

function DemoNote(): ReactNode {
  return (
    <p className="mt-4 text-xs text-faint text-pretty">
      Demo data, this computer only. No password. Turns off when production is connected.
    </p>
  )
}

import { clsx } from 'clsx'
import { ArrowRight, KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { LogoMark } from '#components/layout/logo.tsx'
import { Button } from '#components/ui/button.tsx'
import { Callout } from '#components/ui/callout.tsx'
import { findEntry } from '#components/ui/code-entry.ts'
import type { Tone } from '#components/ui/tone.ts'
import { isRole, roleNames, rolePurposes } from '#lib/auth/permissions.ts'
import { SignInForm } from './sign-in-form.tsx'

type Message = { tone: Tone; title: string; body: string }

const unfinished: Message = {
  tone: 'bad',
  title: 'Signing in did not finish.',
  body: 'Nothing was changed. Try again; if it fails again, ask an admin to check the identity provider.',
}

/** Messages by the code in the URL. */
const messages: Record<string, Message> = {
  CredentialsSignin: {
    tone: 'bad',
    title: 'You were not signed in.',
    body: 'Nothing was changed. Choose a person again. After many attempts, wait five minutes.',
  },
  AccessDenied: {
    tone: 'bad',
    title: 'Ask your admin for access.',
    body: 'Your company account has no access to Carddesk. An admin can invite you.',
  },
  SIGN_IN_TOO_OLD: {
    tone: 'bad',
    title: 'You signed in to your company too long ago.',
    body: 'Sign in again: your company asks for your credentials. If this stays, ask an admin to check OIDC_MAX_AGE_MINUTES.',
  },
  SIGN_IN_TIME_UNKNOWN: {
    tone: 'bad',
    title: 'Your company didn’t say when you signed in.',
    body: 'Ask an admin: the identity provider has to send auth_time, or OIDC_MAX_AGE_MINUTES has to be off.',
  },
  SIGN_IN_TOO_WEAK: {
    tone: 'bad',
    title: 'Your company sign-in is not strong enough.',
    body: 'Sign in again with a second factor. If this stays, ask an admin to check the identity provider.',
  },
  SessionRequired: { tone: 'info', title: 'Sign in to continue.', body: 'You’ll return to the page you opened.' },
  Configuration: {
    tone: 'bad',
    title: 'Signing in is not set up correctly.',
    body: 'Sign-in is off until it’s fixed. The server’s log names the setting.',
  },
}

/** Message of a failed sign-in by its code; null without one. */
function signInMessage(code: string | null | undefined): Message | null {
  if (!code) return null
  return findEntry(messages, code) ?? unfinished
}

export type SignInPanelProps = {
  choices:
    | { mode: 'demo'; staff: readonly { id: string; name: string; role: string }[] }
    | { mode: 'oidc'; issuer: string }
  /** Where the form goes: an address or a server action. Works before and without any script. */
  action: string | ((formData: FormData) => void | Promise<void>)
  /** The hidden fields of the form, such as the CSRF token and the page to continue to. */
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
        <DeskDrawing />
        <p className="max-w-sm text-soft text-pretty">Run your card program from one place.</p>
      </header>
      <div className="flex flex-col px-4 py-6 sm:px-8">
        <header className="lg:hidden">
          <Brand />
        </header>
        {/* Its place depends on the window alone, so that nothing moves while the rest of the list arrives. */}
        <main
          className={clsx(
            'mx-auto w-full max-w-xl py-8',
            choices.mode === 'demo' ? 'mt-[max(0rem,50dvh-22rem)]' : 'my-auto',
          )}
        >
          <h1 className="text-2xl font-semibold tracking-tight">Sign in</h1>
          <p className="mt-1 text-soft">
            {choices.mode === 'demo' ? 'Choose who you are.' : `Your company signs you in, at ${choices.issuer}.`}
          </p>
          {message && (
            <Callout tone={message.tone} title={message.title} isAlert className="mt-5">
              {message.body}
            </Callout>
          )}
          <SignInForm action={action}>
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
          </SignInForm>
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
      {staff.map((person, index) => (
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
              <span className="block text-soft">{roleSummary(person.role, staff.slice(0, index))}</span>
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

/** A second admin is there for what takes two. */
function roleSummary(role: string, before: readonly { role: string }[]): string {
  if (!isRole(role)) return ''
  const isSecondAdmin = role === 'admin' && before.some((other) => other.role === role)
  return isSecondAdmin ? 'Second admin, for two-person changes.' : rolePurposes[role]
}

function DemoNote(): ReactNode {
  return (
    <p className="mt-4 text-xs text-faint text-pretty">
      Demo data, this computer only. No password. Turns off when production is connected.
    </p>
  )
}

/** An illustration of a card above its timeline. The card has the same colour in both themes. */
function DeskDrawing() {
  return (
    <svg viewBox="0 0 384 320" aria-hidden="true" className="w-full max-w-96">
      <defs>
        <radialGradient id="desk-card" cx="0" cy="0" r="1.1">
          <stop offset="0" stopColor="#1a8074" />
          <stop offset="0.55" stopColor="#0b5c56" />
          <stop offset="1" stopColor="#062f2c" />
        </radialGradient>
      </defs>
      <g className="fill-canvas stroke-line">
        <rect x="44.5" y="16.5" width="323" height="200" rx="14" />
        <rect x="22.5" y="32.5" width="323" height="200" rx="14" />
      </g>
      <rect x="0.5" y="48.5" width="323" height="200" rx="14" fill="url(#desk-card)" />
      <g fill="#ffffff">
        <rect x="24" y="96" width="38" height="28" rx="5" fill="#e0b45c" />
        <path d="M24 105h12M24 115h12M50 105h12M50 115h12" stroke="#8a6a24" strokeWidth="1.5" />
        {[0, 1, 2].map((group) =>
          [0, 1, 2, 3].map((dot) => (
            <circle key={`${group}-${dot}`} cx={28 + group * 58 + dot * 11} cy="176" r="2.6" opacity="0.75" />
          )),
        )}
        <text x="200" y="182" fontSize="18" letterSpacing="3" className="font-mono">
          4242
        </text>
        <text x="24" y="222" fontSize="11" letterSpacing="1.2" opacity="0.85" className="font-sans">
          LEE KA YAN
        </text>
        <text x="266" y="222" fontSize="11" letterSpacing="1" opacity="0.85" className="font-sans">
          08/29
        </text>
      </g>
      <g fill="none" stroke="#ffffff" strokeWidth="2" strokeLinecap="round" opacity="0.7">
        <path d="M282 78c3 5 3 13 0 18M289 74c5 7 5 19 0 26M296 70c7 10 7 24 0 34" />
      </g>
      <g>
        <path d="M12 290h300" className="stroke-line" strokeWidth="2" />
        <path d="M12 290h225" className="stroke-good" strokeWidth="2" />
        {[12, 87, 162].map((x) => (
          <circle key={x} cx={x} cy="290" r="6" className="fill-good" />
        ))}
        <circle cx="237" cy="290" r="11" className="fill-warn-wash" />
        <circle cx="237" cy="290" r="6" className="fill-warn" />
        <circle cx="312" cy="290" r="6" className="fill-line" />
      </g>
    </svg>
  )
}

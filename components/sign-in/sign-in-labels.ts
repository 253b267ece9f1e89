import type { Tone } from '#components/ui/tone.ts'

type Message = { tone: Tone; title: string; body: string }

const unfinished: Message = {
  tone: 'bad',
  title: 'Signing in did not finish.',
  body: 'Nothing was changed. Try again; if it fails again, ask an admin to check the identity provider.',
}

/** Messages by the code that comes back in the address. */
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
  SessionRequired: { tone: 'info', title: 'Sign in to continue.', body: 'You’ll return to the page you opened.' },
  Configuration: {
    tone: 'bad',
    title: 'Signing in is not set up correctly.',
    body: 'Sign-in is off until it’s fixed. The server’s log names the setting.',
  },
}

/** What to say about a sign-in that came back with a code; null without one. */
export function signInMessage(code: string | null | undefined): Message | null {
  if (!code) return null
  return Object.hasOwn(messages, code) ? (messages[code] ?? unfinished) : unfinished
}

import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { SignInPanel } from '#components/sign-in/sign-in-panel.tsx'
import { signIn } from '#lib/actions/session.ts'
import { currentStaff } from '#lib/auth/session.ts'
import { signInChoices } from '#lib/auth/sign-in.ts'
import { returnPath } from '#lib/shared/routes.ts'

export const metadata: Metadata = { title: 'Sign in' }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function SignInPage({ searchParams }: Props) {
  const { callbackUrl, error, fresh } = await searchParams
  const returnTo = returnPath(firstValue(callbackUrl))
  if (await currentStaff()) redirect(returnTo)
  const hidden = { returnTo, ...(firstValue(fresh) === 'on' && { fresh: 'on' }) }
  return <SignInPanel choices={await signInChoices()} action={signIn} hidden={hidden} error={firstValue(error)} />
}

function firstValue(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}

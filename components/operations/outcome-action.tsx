'use client'

import Link from 'next/link'
import { usePathname, useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import { Button } from '#components/ui/button.tsx'
import { quietLink } from '#components/ui/link-style.ts'
import { signInAgain } from '#lib/actions/session.ts'
import { isEnvironment, routes } from '#lib/shared/routes.ts'

/** The way on from an error that the person can resolve on another page, which leads back to this one; most have none. */
export function outcomeAction(code: string | null): ReactNode {
  if (code === 'PASSKEY_REQUIRED') return <EnrolmentLink />
  if (code === 'SIGN_IN_AGAIN') return <SignInAgain />
  return undefined
}

function useHere(): string {
  const pathname = usePathname()
  const search = useSearchParams().toString()
  return search ? `${pathname}?${search}` : pathname
}

function EnrolmentLink() {
  const here = useHere()
  const environment = here.split('/')[1] ?? ''
  const back = { back: here }
  return (
    <Link
      href={routes.ownAccount(isEnvironment(environment) ? environment : 'sandbox', back)}
      prefetch={false}
      className={quietLink}
    >
      Add a passkey
    </Link>
  )
}

function SignInAgain() {
  const here = useHere()
  return (
    <form action={signInAgain}>
      <input type="hidden" name="returnTo" value={here} />
      <Button size="small" type="submit">
        Sign in again
      </Button>
    </form>
  )
}

'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { Spinner } from '#components/ui/spinner.tsx'

/** A sign-in that takes long says that it is under way. It works before and without this script. */
export function SignInForm({
  action,
  children,
}: {
  action: string | ((formData: FormData) => void | Promise<void>)
  children: ReactNode
}) {
  const [isSent, setIsSent] = useState(false)
  // The browser may show this page again as it was left.
  useEffect(() => {
    const begin = () => setIsSent(false)
    window.addEventListener('pageshow', begin)
    return () => window.removeEventListener('pageshow', begin)
  }, [])
  return (
    <form
      action={action}
      method={typeof action === 'string' ? 'post' : undefined}
      className="mt-5"
      onSubmit={() => setIsSent(true)}
    >
      {children}
      <output className="mt-3 flex min-h-6 items-center gap-2 text-soft">
        {isSent && (
          <>
            <Spinner />
            Signing in…
          </>
        )}
      </output>
    </form>
  )
}

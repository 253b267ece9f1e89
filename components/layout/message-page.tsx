import type { ReactNode } from 'react'
import { buttonStyle } from '#components/ui/button-style.ts'
import { environmentOfPath, routes } from '#lib/shared/routes.ts'
import { Logo } from './logo.tsx'

/** A page that only says something: what happened, what to do, and the way out. Also fits inside the shell. */
export function MessagePage({
  mark,
  title,
  children,
  actions,
  isInShell = false,
}: {
  mark?: ReactNode
  title: string
  children: ReactNode
  actions?: ReactNode
  isInShell?: boolean
}) {
  const content = (
    <>
      {mark !== undefined && <p className="text-xs font-medium text-faint">{mark}</p>}
      <h1 className="mt-1 text-xl font-semibold tracking-tight">{title}</h1>
      <div className="mt-2 grid gap-2 text-soft text-pretty">{children}</div>
      {actions !== undefined && <div className="mt-5 flex flex-wrap gap-2">{actions}</div>}
    </>
  )
  if (isInShell) return <div className="mx-auto max-w-lg py-16">{content}</div>
  return (
    <div className="flex min-h-dvh flex-col px-6 py-6">
      <header>
        <Logo />
      </header>
      <main className="m-auto w-full max-w-lg py-10">{content}</main>
    </div>
  )
}

/** The overview of the environment that a path names: the way out of an error never leads from production to the sandbox. */
export function overviewHref(pathname: string | null): string {
  const environment = environmentOfPath(pathname ?? '')
  return environment ? routes.overview(environment) : '/'
}

/** A way out of such a page. It loads the whole document, since the router may be what failed. */
export function MessageLink({
  href,
  isSecondary = false,
  children,
}: {
  href: string
  isSecondary?: boolean
  children: ReactNode
}) {
  return (
    <a href={href} className={buttonStyle({ variant: isSecondary ? 'secondary' : 'primary' })}>
      {children}
    </a>
  )
}

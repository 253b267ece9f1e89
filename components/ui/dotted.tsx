import { Children, Fragment, isValidElement, type ReactNode } from 'react'

/** Short facts in a line, with a dot between them; each is one element. */
export function Dotted({ children }: { children: ReactNode }) {
  const facts = Children.toArray(children).filter(isValidElement)
  return (
    <span className="flex flex-wrap items-center gap-x-1.5">
      {facts.map((fact, index) => (
        <Fragment key={fact.key}>
          {index > 0 && <span aria-hidden="true">·</span>}
          {fact}
        </Fragment>
      ))}
    </span>
  )
}

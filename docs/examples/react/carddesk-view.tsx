import { useEffect, useRef } from 'react'

type Named = { id?: string; xid?: string; email?: string; phone?: string }
type Props = Named & {
  environment: 'sandbox' | 'production'
  type: 'customer' | 'card-account' | 'card' | 'transaction' | 'payout'
  theme?: 'light' | 'dark' | 'system'
  lang?: string
  'time-zone'?: string
  tokenProvider: (request: Named & { environment: string; type: string; reason: string }) => unknown
}

/** Shows an embedded view. `embed.js` or `embed.mjs` has to be loaded in the page. */
export function CarddeskView({ tokenProvider, ...attributes }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const named = JSON.stringify(attributes)

  useEffect(() => {
    const view = document.createElement('carddesk-view')
    for (const [name, value] of Object.entries(JSON.parse(named) as Record<string, string>))
      view.setAttribute(name, value)
    Object.assign(view, { tokenProvider })
    place.current?.append(view)
    return () => view.remove()
  }, [named, tokenProvider])

  return <div ref={place} />
}

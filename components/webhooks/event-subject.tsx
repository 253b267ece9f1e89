import { useEnvironment } from '#components/environment/use-environment.ts'
import { noValue } from '#components/ui/not-provided.tsx'
import { TextLink } from '#components/ui/text-link.tsx'
import type { InboxEvent } from '#lib/console/inbox/types.ts'
import { shortId } from '#lib/shared/ids.ts'
import { type Environment, routes } from '#lib/shared/routes.ts'

type About = Pick<InboxEvent, 'cardAccountId' | 'accountName' | 'cardId' | 'cardLast4' | 'payoutId' | 'payoutTo'>

/** Record of an event: its name, null where the index has none, and its id. */
export function findEventSubject(event: About) {
  const { cardAccountId, accountName, cardId, cardLast4, payoutId, payoutTo } = event
  if (payoutId !== null) {
    const name = payoutTo === null ? null : `Payout to ${payoutTo}`
    return {
      kind: 'Payout',
      id: payoutId,
      name,
      owner: null,
      href: (environment: Environment) => routes.payout(environment, payoutId),
    }
  }
  if (cardAccountId === null) return null
  if (cardId === null) {
    const href = (environment: Environment) => routes.cardAccount(environment, cardAccountId)
    return { kind: 'Account', id: cardAccountId, name: accountName, owner: null, href }
  }
  const name = cardLast4 === null ? null : `Card ending ${cardLast4}`
  const href = (environment: Environment) => routes.card(environment, cardAccountId, cardId)
  return { kind: 'Card', id: cardId, name, owner: accountName, href }
}

/** The account, card or payout that an event is about, by name where the console knows it. */
export function EventSubject({ event }: { event: About }) {
  const environment = useEnvironment()
  const subject = findEventSubject(event)
  if (subject === null) return <span className="text-faint">{noValue}</span>
  const { kind, id, name, owner, href } = subject
  return (
    <TextLink href={href(environment)} title={`${kind} ${id}`} className="wrap-anywhere">
      {name ?? (
        <>
          {kind} <span className="font-mono text-[0.92em]">{shortId(id)}</span>
        </>
      )}
      {owner !== null && ` · ${owner}`}
    </TextLink>
  )
}

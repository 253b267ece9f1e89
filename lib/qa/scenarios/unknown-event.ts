import { isEventName } from '#lib/contract/events.ts'
import { eventNames } from '#lib/contract/terms.ts'
import { didYouMean } from '#lib/shared/closest-name.ts'

/** Says that the built-in service has no event of that name, and which it has; null for a name that it has. */
export function unknownEventText(name: string): string | null {
  if (isEventName(name)) return null
  return `There is no event ${name}; there are ${eventNames.join(', ')}.${didYouMean(name, eventNames)}`
}

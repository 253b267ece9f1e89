/** The events of a webhook for people: `*` is all. */
export function eventsText(events: readonly string[]): string {
  return events.includes('*') ? 'all' : events.join(', ')
}

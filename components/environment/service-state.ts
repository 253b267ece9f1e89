import { formatCount } from '#components/ui/count.ts'
import type { Tone } from '#components/ui/tone.ts'
import type { EndpointProblem, ServiceHealth, ServiceState } from '#lib/environments/types.ts'

type ConnectedHealth = Extract<ServiceHealth, { connected: true }>

/** `label` is the status in the header and in the panel, `meaning` the sentence behind it. */
export type StateText = { label: string; tone: Tone; meaning: string }

const stateTexts: Record<ServiceState, StateText> = {
  online: { label: 'Operational', tone: 'good', meaning: 'The card service responds as expected.' },
  slow: { label: 'Slow', tone: 'warn', meaning: 'Most of the last requests took longer than two seconds.' },
  rejected: {
    label: 'Rejected: check the access key',
    tone: 'bad',
    meaning: 'The card service rejects every request of this console.',
  },
  unreadable: {
    label: 'Unreadable responses',
    tone: 'bad',
    meaning: 'The card service sends pages or redirects instead of data. Check the service URL.',
  },
  unreachable: { label: 'Not responding', tone: 'bad', meaning: 'The card service doesn’t respond.' },
}

/** The state of a connected service; an online one with endpoints that don't work says how many. */
export function stateText({ state, lastResponseAt, lastProblem, endpoints }: ConnectedHealth): StateText {
  if (state === 'rejected' && lastProblem?.status === 403) {
    return { ...stateTexts.rejected, label: 'Rejected: check the key’s permissions' }
  }
  if (state === 'rejected' && lastProblem?.diagnosis?.startsWith('The card service’s clock is ')) {
    return { ...stateTexts.rejected, label: 'Rejected: check the clocks' }
  }
  if (state === 'online' && endpoints.length > 0) {
    const names = endpoints.map(({ endpoint }) => endpoint).join(', ')
    const label = `${formatCount(endpoints.length, 'endpoint')} unavailable`
    return { label, tone: 'warn', meaning: `Failed when last called: ${names}` }
  }
  if (state === 'online' && lastResponseAt === null) {
    return { label: 'Not checked yet', tone: 'neutral', meaning: 'No request was sent to the card service yet.' }
  }
  return stateTexts[state]
}

/** Describes the problem of one endpoint, by its name. */
export function problemSentence({ endpoint, kind, status, diagnosis }: EndpointProblem): string {
  if (kind === 'missing') return `${endpoint} isn’t available on this service (404).`
  if (kind === 'rejected') return [`${endpoint} was rejected (${status}).`, diagnosis].filter(Boolean).join(' ')
  return diagnosis ?? `${endpoint} returned a response that can’t be used.`
}

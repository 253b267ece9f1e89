import { stringify } from 'yaml'
import { dayMs, hourMs } from '#lib/shared/time.ts'
import { accountSteps } from './account.ts'
import type { Case } from './case.ts'
import { collectNotes } from './notes.ts'
import { payoutSteps } from './payout.ts'
import { personalCheck } from './personal.ts'

export type Reproduction = {
  title: string
  /** The scenario file. */
  text: string
  /** Parts that can't be built, in sentences. */
  notBuilt: string[]
}

/** A scenario file has 500 steps at most. */
const mostSteps = 490
/** One page of the service's list, less an entry for the balance from before. */
const mostTransactions = 99

/**
 * The scenario file that brings an empty account, or a payout, into the state of a case. Nothing personal of its records is in it:
 * names, numbers, addresses, ids, references and metadata are invented, and texts of people are left out. `schemaUrl` is where an
 * editor finds the JSON Schema.
 */
export function reproduce(original: Case, schemaUrl: string): Reproduction {
  const isPersonal = personalCheck(original)
  for (let most = mostTransactions; ; most = Math.floor(most * 0.8)) {
    const notes = collectNotes()
    const { steps, spanMs } =
      original.kind === 'account'
        ? accountSteps(original, most, isPersonal, notes)
        : payoutSteps(original, isPersonal, notes)
    if (steps.length > mostSteps && most > 0) continue
    const title = formatTitle(original)
    const notBuilt = notes.list()
    const file = {
      scenario: title,
      description: 'Generated from the records of a service. Personal data, ids and references are invented.',
      tags: ['reproduced'],
      steps,
    }
    return { title, notBuilt, text: `${formatHead(notBuilt, spanMs, schemaUrl)}${stringify(file, { lineWidth: 0 })}` }
  }
}

function formatTitle(original: Case): string {
  if (original.kind === 'payout') return 'The state of a payout'
  return original.transactionId === null ? 'The state of a card account' : 'The state of a card transaction'
}

function formatHead(notBuilt: readonly string[], spanMs: number, schemaUrl: string): string {
  const lines = [
    `yaml-language-server: $schema=${schemaUrl}`,
    'Run it in a sandbox of its own: npm run scenario -- FILE --parallel 1',
    ...(spanMs > 0 ? [`It moves the clock by ${spanText(spanMs)}.`] : []),
    ...(notBuilt.length > 0 ? ['Not as in the original:', ...notBuilt.map((note) => `- ${note}`)] : []),
  ]
  return lines.map((line) => `# ${line}\n`).join('')
}

function spanText(ms: number): string {
  const days = Math.round(ms / dayMs)
  if (days > 1) return `${days} days`
  const hours = Math.ceil(ms / hourMs)
  return hours === 1 ? 'an hour' : `${hours} hours`
}

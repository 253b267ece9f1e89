import { parseScenario } from '../parse.ts'
import type { CaseReport } from '../report.ts'
import { runCase } from '../run.ts'
import type { Target } from '../target.ts'
import { makeAsk, readCase, type Case } from './case.ts'
import type { Reproduction } from './reproduce.ts'
import { stateDifferences, caseState } from './state.ts'

export type Built = {
  report: CaseReport
  /** The card account or payout in the sandbox; null where it was not made. */
  id: string | null
  /** How its state differs from the original's, a line each; null where it could not be read. */
  differences: string[] | null
}

/**
 * Runs a reproduction in a sandbox of its own, whose clock it stops: what is pending stays so. Throws `Unreachable` where the service
 * can't be reached, an `Error` for people where the file is wrong.
 */
export async function build(original: Case, { text }: Reproduction, target: Target): Promise<Built> {
  const parsed = parseScenario(text, 'reproduced.yaml')
  if (!parsed.ok) throw new Error(parsed.error.map(({ line, message }) => `${line}: ${message}`).join('\n'))
  await target.send(target.prepareControl('POST /clock', { body: { freeze: true } }), {})
  const report = await runCase(parsed.value, { label: null, variables: {} }, { target, receiver: null })
  const kind = original.kind === 'payout' ? 'payout' : 'card account'
  const id = report.created.find((one) => one.kind === kind)?.id ?? null
  if (id === null) return { report, id, differences: null }
  const type = original.kind
  const reproduced = await readCase(makeAsk(target), { type, id }, new Date(0))
  if (!reproduced) return { report, id, differences: null }
  const isPart = original.kind === 'account' && original.transactionId !== null
  return { report, id, differences: stateDifferences(caseState(original), caseState(reproduced, isPart)) }
}

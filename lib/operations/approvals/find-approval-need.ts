import 'server-only'
import type { Environment } from '#lib/shared/routes.ts'
import type { PolicyFacts } from './policy-rules.ts'
import { type ApprovalNeed, checkAgainstPolicy } from './policy.ts'
import { noteContentsBefore } from './sandbox-contents.ts'

/** The approval that a request needs which is about to be written; null where no rule is about it. `facts` are those of `checkAgainstPolicy`. */
export async function findApprovalNeed(
  environment: Environment,
  facts: readonly [PolicyFacts, ...PolicyFacts[]],
): Promise<ApprovalNeed | null> {
  const need = await checkAgainstPolicy(environment, facts)
  if (need) await noteContentsBefore(environment)
  return need
}

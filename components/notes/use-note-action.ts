import { lostResponse } from '#components/operations/outcome-text.tsx'
import { useAction } from '#components/operations/use-action.ts'
import type { Environment } from '#lib/shared/routes.ts'

/** An action on a note. `problem` is a sentence, null where it was saved. */
export function useNoteAction(environment: Environment) {
  const { problem, errors, ...action } = useAction(environment, 'notes', 'my-work')
  return {
    ...action,
    problem: problem
      ? `Couldn’t save it. ${problem === lostResponse ? notResponding : problem.happened}`
      : issueOf(errors),
  }
}

const notResponding = 'Carddesk isn’t responding. Try again.'

function issueOf(errors: Record<string, string>): string | null {
  if (Object.keys(errors).length === 0) return null
  if (errors.text) return `The note ${errors.text}.`
  if (errors.handover) return 'This person can’t take notes any more. Choose somebody else.'
  return 'Couldn’t save it. Reload the page and try again.'
}

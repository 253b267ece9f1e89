import { Callout } from '#components/ui/callout.tsx'
import { IdText } from '#components/ui/id-text.tsx'
import type { LabProblem } from './use-lab.ts'

/** Why the sandbox refused an action: what no field of the form shows itself. */
export function ProblemText({ problem, fields = [] }: { problem: LabProblem | null; fields?: readonly string[] }) {
  if (!problem) return null
  const others = Object.entries(problem.fields).filter(([field]) => !fields.includes(field))
  if (problem.message === null && others.length === 0) return null
  return (
    <Callout tone="bad" className="mt-3" isAlert>
      {problem.message}
      {others.map(([field, wrong]) => (
        <p key={field}>
          {field}: {wrong}
        </p>
      ))}
      {problem.requestId !== null && (
        <p className="flex items-center gap-1 text-xs">
          Request <IdText id={problem.requestId} label="request ID" />
        </p>
      )}
    </Callout>
  )
}

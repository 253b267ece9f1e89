import { respondToRead } from '#lib/console/desk/api.ts'
import { auditedRead } from '#lib/console/desk/audit/audited-reads.ts'
import { recordedYaml } from '#lib/console/lab/recording.ts'
import type { Environment } from '#lib/shared/routes.ts'

type Params = { environment: Environment }

export function GET(request: Request, context: { params: Promise<{ environment: string }> }): Promise<Response> {
  return respondToRead<Params, Response>(request, context, ({ environment }) =>
    auditedRead('lab/recording', environment, () => recordedYaml(environment)),
  )
}

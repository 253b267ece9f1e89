import { environmentRoute } from '#app/api/environment-route.ts'
import { auditedRead } from '#lib/console/desk/audit/audited-reads.ts'
import { scenarioYaml } from '#lib/console/lab/scenarios.ts'

export const GET = environmentRoute<'name'>(({ environment, name }) =>
  auditedRead('lab/scenarios/[name]', environment, () => scenarioYaml(environment, name)),
)

import { environmentRoute } from '#app/api/environment-route.ts'
import { auditedRead } from '#lib/console/desk/audit/audited-reads.ts'
import { recordedYaml } from '#lib/console/lab/recording.ts'

export const GET = environmentRoute(({ environment }) =>
  auditedRead('lab/recording', environment, () => recordedYaml(environment)),
)

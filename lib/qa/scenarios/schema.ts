import { z } from 'zod'
import { endpointRow } from '#lib/contract/endpoints.ts'
import { eventNames } from '#lib/contract/terms.ts'
import { atMost } from '#lib/shared/at-most.ts'
import { controlCalls, endpointCalls } from './calls.ts'

/**
 * The format of a scenario file. Texts may hold `${expressions}`. The published JSON Schema (docs/carddesk.scenario.schema.json)
 * derives from it, so that editors complete what the runner accepts.
 */

const variableName = /^[A-Za-z]\w*$/
const durationPattern = /^(\d+(?:\.\d+)?)(ms|s|m)$/
const longestWaitMs = 120_000

const Text = z.string('must be text')
const Variables = z.record(z.string().regex(variableName, 'must begin with a letter'), z.json(), 'must be a map')
const Fields = z.record(z.string(), z.json(), 'must be a map')
const durationMessage = 'must be a time such as 500ms, 5s or 2m'
const Duration = z
  .string(durationMessage)
  .regex(durationPattern, durationMessage)
  .refine((text) => !durationPattern.test(text) || parseDurationMs(text) <= longestWaitMs, 'must be at most 2m')

/** Milliseconds of a valid `Duration`. */
export function parseDurationMs(text: string): number {
  const [, number = '0', unit = 'ms'] = durationPattern.exec(text) ?? []
  return Number(number) * { ms: 1, s: 1000, m: 60_000 }[unit as 'ms' | 's' | 'm']
}

const name = Text.max(...atMost(200))
  .optional()
  .describe('What the step does, for people.')
const expect = Fields.optional().describe(
  'Paths into the result and what each has to be: status, code, message, body.balance, body.cards[0].status. A map expects at least its fields. Matchers: $present, $absent, $oneOf, $not, $like, $atLeast, $atMost, $length, $contains.',
)
const save = z
  .record(z.string().regex(variableName, 'must begin with a letter'), Text, 'must be a map')
  .optional()
  .describe('Variables for later steps, each from a path into the result, such as body.id.')
const within = Duration.optional().describe('How long to wait in real time: 500ms, 5s, 2m.')
const body = z.json().optional().describe('The JSON body.')
const query = Fields.optional().describe('The query parameters; a list repeats the parameter.')

const callMessage = 'must be a method and a path of the interface, such as POST /cards/lock'

const CallStep = z
  .strictObject({
    name,
    call: z
      .union([z.enum([...endpointCalls.keys()]), Text.regex(/\$\{/, callMessage)], callMessage)
      .describe('A call of the interface.'),
    params: z.record(z.string(), Text).optional().describe('The path parameters.'),
    query,
    body,
    key: Text.optional().describe('The idempotency key.'),
    within: within.describe('Repeats a GET until its expectations are met, at most this long.'),
    expect,
    save,
  })
  .describe('Sends a signed request to the service. Without an expected status, 200 is expected.')

const ControlStep = z
  .strictObject({
    name,
    control: z
      .enum(controlCalls, 'must be a call of the control plane, such as POST /clock')
      .describe('A call of the sandbox’s control plane.'),
    query,
    body,
    expect,
    save,
  })
  .describe(
    'Controls the built-in sandbox: clock, faults, modes, charges, disputes, fees. A real service has none of it.',
  )

const EventStep = z
  .strictObject({
    name,
    event: Text.describe('The name of the event that has to be delivered.'),
    where: Fields.optional().describe('Which delivery is meant, such as data.cardAccountId.'),
    within,
    absent: z.literal(true).optional().describe('Expects that no such event is delivered within the time.'),
    expect,
    save,
  })
  .describe('Waits for a webhook delivery; each delivery matches one step.')

const DeliveriesStep = z
  .strictObject({
    name,
    deliveries: z
      .record(
        z.string(),
        z.json(),
        'must be a map of what the deliveries have, such as { data.cardAccountId: … }; {} counts all',
      )
      .describe('Which deliveries are counted, such as data.cardAccountId; {} for all.'),
    within,
    expect,
    save,
  })
  .describe(
    'All deliveries so far: events (names in order), count, attempts, refused, pings, invalidSignatures. Ends when it is as expected; one that expects nothing, such as count 0, with within at the end of that time.',
  )

const ReceiverStep = z
  .strictObject({
    name,
    receiver: z.int('must be an HTTP status').min(200, 'must be an HTTP status').max(599, 'must be an HTTP status'),
  })
  .describe('The HTTP status with which the webhook’s receiver responds from now on.')

const OpenStep = z
  .strictObject({ name, open: Text.describe('A one-time link of the service.'), expect, save })
  .describe(
    'Opens a link below the service’s base URL. Of the page only status and last6 (of the card number) are used.',
  )

const UseStep = z
  .strictObject({
    name,
    use: Text.describe('A built-in fragment, such as account, or a file of your own, such as ./login.yaml.'),
    with: Variables.optional(),
  })
  .describe('Runs the steps of a fragment; what it saves is available afterwards.')

const repeatMessage = 'must be a whole number from 1 to 1000'

export type GroupStep = { name?: string | undefined; repeat: number | string; steps: Step[] }
const GroupStep: z.ZodType<GroupStep> = z
  .strictObject({
    name,
    repeat: z
      .union(
        [z.int(repeatMessage).min(1, repeatMessage).max(1000, repeatMessage), Text.regex(/\$\{/, repeatMessage)],
        repeatMessage,
      )
      .describe('How often the steps run; ${repeat} counts from 1.'),
    steps: z.array(z.lazy(() => Step)).min(1, 'must have at least one step'),
  })
  .describe('Repeats steps.')

const stepSchemas = {
  call: CallStep,
  control: ControlStep,
  event: EventStep,
  deliveries: DeliveriesStep,
  receiver: ReceiverStep,
  open: OpenStep,
  use: UseStep,
  repeat: GroupStep,
} as const
export type StepKind = keyof typeof stepSchemas
/** The kinds of steps, in the order of the union's options. */
export const stepKinds = Object.keys(stepSchemas) as StepKind[]

/** The kinds that a step names, by its fields: one, unless the file is wrong. */
export function stepKindsIn(value: unknown): StepKind[] {
  return typeof value === 'object' && value !== null ? stepKinds.filter((kind) => Object.hasOwn(value, kind)) : []
}

export type CallStep = z.infer<typeof CallStep>
export type ControlStep = z.infer<typeof ControlStep>
export type EventStep = z.infer<typeof EventStep>
export type DeliveriesStep = z.infer<typeof DeliveriesStep>
export type UseStep = z.infer<typeof UseStep>
/** A step that does one thing, rather than run others. */
export type SingleStep =
  | CallStep
  | ControlStep
  | EventStep
  | DeliveriesStep
  | z.infer<typeof ReceiverStep>
  | z.infer<typeof OpenStep>
export type Step = SingleStep | UseStep | GroupStep

const Step: z.ZodType<Step> = z.union(Object.values(stepSchemas))

const matrixValues = z.array(z.json()).min(1, 'must have at least one value').max(200, 'must have at most 200 values')

export const ScenarioFile = z.strictObject({
  scenario: Text.min(1, 'must not be empty')
    .max(...atMost(120))
    .describe('The title.'),
  description: Text.max(...atMost(2000))
    .optional()
    .describe('What it shows.'),
  tags: z
    .array(Text.max(...atMost(40)), 'must be a list of texts')
    .max(20, 'must be at most 20')
    .optional(),
  vars: Variables.optional().describe(
    'Variables and their values. One without a value (null) has to be given: --var name=value.',
  ),
  matrix: z
    .union(
      [
        z.record(z.string().regex(variableName, 'must begin with a letter'), matrixValues),
        z.array(Variables).min(1).max(200),
      ],
      'must be a map of variables and their values, or a list of maps',
    )
    .optional()
    .describe('Runs the scenario once for each combination of the values, or for each map of a list.'),
  steps: z
    .array(Step, 'must be a list of steps')
    .min(1, 'must have at least one step')
    .max(500, 'must have at most 500 steps'),
  finally: z
    .array(Step, 'must be a list of steps')
    .min(1, 'must have at least one step')
    .max(100, 'must have at most 100 steps')
    .optional()
    .describe(
      'Steps that run at the end, whatever came of the others. One whose variables were never set is left out.',
    ),
})
export type ScenarioFile = z.infer<typeof ScenarioFile>

/** A scenario that can be run. `lines` are those of its steps, by the step's path (`steps.0.steps.1`). */
export type Scenario = ScenarioFile & { file: string; lines: ReadonlyMap<string, number>; fragments: Fragments }

/** The fragments that `use` may name. */
export type Fragments = ReadonlyMap<string, Scenario>

/** The fields that a step of a kind has, or with null the file. */
export function fieldsOfKind(kind: StepKind | null): readonly string[] {
  const schema: z.ZodType = kind === null ? ScenarioFile : stepSchemas[kind]
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

/** Which calls complete which fields: JSON Schema says it by conditions, which validation does without. */
function completions(): object[] {
  const propertyNames = (schema: z.ZodType | undefined): object | null =>
    schema instanceof z.ZodObject
      ? { properties: Object.fromEntries(Object.keys(schema.shape).map((key) => [key, {}])) }
      : null
  return [...endpointCalls].flatMap(([call, endpoint]) => {
    const { query: querySchema, body: bodySchema, summary } = endpointRow(endpoint)
    const properties = Object.fromEntries(
      Object.entries({ query: propertyNames(querySchema), body: propertyNames(bodySchema) }).filter(
        ([, names]) => names !== null,
      ),
    )
    if (Object.keys(properties).length === 0) return []
    const isAnother = { not: { required: ['call'], properties: { call: { const: call } } } }
    return [{ if: isAnother, else: { description: summary, properties } }]
  })
}

type JsonSchema = { anyOf?: JsonSchema[]; properties?: Record<string, object>; [key: string]: unknown }

/** The JSON Schema of a scenario file, for editors. @internal */
export function scenarioJsonSchema(): object {
  const schema = z.toJSONSchema(ScenarioFile, { io: 'input', target: 'draft-7' }) as JsonSchema
  const definitions = Object.values((schema.definitions ?? {}) as Record<string, JsonSchema>)
  for (const step of definitions.flatMap(({ anyOf = [] }) => anyOf)) {
    if (step.properties?.call) step.allOf = completions()
    if (step.properties?.event) step.properties.event = { ...step.properties.event, examples: eventNames }
  }
  return { ...schema, title: 'A Carddesk scenario' }
}

import { describe, expect, test } from 'vitest'
import { controlRoutes } from '#lib/service/control/handle.ts'
import { controlCalls } from './calls.ts'
import { expandCases, listVariables, missingVariables } from './cases.ts'
import { builtInFragments, builtInScenarios } from './load-built-in.ts'
import { mistakeText, parseScenario } from './parse.ts'
import { type Scenario, scenarioJsonSchema } from './schema.ts'
import { projectRoot } from './testing.ts'

const fragments = builtInFragments(projectRoot)

/** The mistakes of a file as lines. */
function mistakes(text: string): string[] {
  const read = parseScenario(text, 'mine.yaml', fragments)
  return read.ok ? [] : read.error.map((mistake) => mistakeText('mine.yaml', mistake))
}

function scenarioOf(text: string) {
  const read = parseScenario(text, 'mine.yaml', fragments)
  if (!read.ok) throw new Error(JSON.stringify(read.error))
  return read.value
}

const head = 'scenario: Mine\nsteps:\n'

describe('a wrong file is an error at its line and column', () => {
  test.each([
    ['scenario: "open', 'mine.yaml:1:16 Missing closing "quote.'],
    ['scenario: a\nscenario: b\nsteps: []', 'mine.yaml:2:1 Map keys must be unique.'],
    [`scenario: Mine`, 'mine.yaml:1:1 steps is missing.'],
    [
      `scenario: Mine\nstep: []\nsteps:\n  - call: GET /ping`,
      'mine.yaml:2:1 step isn’t a field here. Did you mean steps?',
    ],
    [
      `${head}  - call: POST /cards/lokc`,
      'mine.yaml:3:11 call must be a method and a path of the interface, such as POST /cards/lock. Did you mean POST /cards/lock?',
    ],
    [`${head}  - call: GET /ping\n    boddy: {}`, 'mine.yaml:4:5 boddy isn’t a field here. Did you mean body?'],
    [
      `${head}  - name: What?`,
      'mine.yaml:3:5 A step must have one of call, control, event, deliveries, receiver, open, use, repeat.',
    ],
    [
      `${head}  - call: GET /ping\n    control: GET /clock`,
      'mine.yaml:3:5 A step must have one of call, control, event, deliveries, receiver, open, use, repeat; this one has call and control.',
    ],
    [`${head}  - event: ping\n    within: soon`, 'mine.yaml:4:13 within must be a time such as 500ms, 5s or 2m.'],
    [`${head}  - event: ping\n    within: 3m`, 'mine.yaml:4:13 within must be at most 2m.'],
    [
      `${head}  - call: GET /ping\n    key: "\${run"`,
      'mine.yaml:4:10 The expression can’t be read: ${ isn’t closed by }.',
    ],
    [
      `${head}  - call: GET /ping\n    key: \${1 +}`,
      'mine.yaml:4:10 The expression can’t be read: a value is expected here.',
    ],
    [
      `${head}  - call: GET /ping\n    key: \${2 * 3}`,
      'mine.yaml:4:10 The expression can’t be read: * isn’t part of an expression.',
    ],
    [
      `${head}  - call: GET /cards\n    query: { cardAccountId: '\${id}' }`,
      'mine.yaml:4:29 id isn’t set before it is used here.',
    ],
    [
      `${head}  - call: GET /ping\n    expect: { bdy.message: pong }`,
      'mine.yaml:4:15 bdy.message isn’t a path into the result; it must begin with status, code, message, body, replayed, dropped. Did you mean body?',
    ],
    [
      `${head}  - repeat: 2\n    steps:\n      - call: GET /cards\n        query: { cardAccountId: a }\n        expect: { 'body.cards[repeat].id': b }`,
      'mine.yaml:7:19 body.cards[repeat].id isn’t a path into the result: only fields and numbers can stand in it.',
    ],
    [
      `${head}  - call: GET /ping\n    expect:\n      body: { message: { $lik: p } }`,
      'mine.yaml:5:26 $lik isn’t a matcher; there are $present, $absent, $oneOf, $not, $like, $atLeast, $atMost, $length, $contains. Did you mean $like?',
    ],
    [
      `${head}  - call: GET /ping\n    save: { text: bodi.message }`,
      'mine.yaml:4:19 bodi isn’t set before it is used here. Did you mean body?',
    ],
    [
      `${head}  - use: acount`,
      'mine.yaml:3:10 There is no fragment acount; there are account, quote, card, payout. Did you mean account?',
    ],
    [
      `${head}  - use: account\n    with: { limits: 3 }`,
      'mine.yaml:4:13 limits isn’t a variable of account; it has accountType, currency, limit. Did you mean limit?',
    ],
    [
      `${head}  - repeat: 2\n    steps:\n      - evnt: ping`,
      'mine.yaml:5:9 A step must have one of call, control, event, deliveries, receiver, open, use, repeat. Did you mean event?',
    ],
    ['', 'mine.yaml:1:1 The file must be a map with scenario and steps.'],
    [
      `${head}  - call: GET /ping\n---\nscenario: Two`,
      'mine.yaml:4:1 A file has one scenario: --- may not stand between two.',
    ],
    [
      `${head}  - repeat: 0\n    steps: [{ call: GET /ping }]`,
      'mine.yaml:3:13 repeat must be a whole number from 1 to 1000.',
    ],
    [
      `${head}  - deliveries:\n    expect: { count: 1 }`,
      'mine.yaml:3:16 deliveries must be a map of what the deliveries have, such as { data.cardAccountId: … }; {} counts all.',
    ],
    [
      `${head}  - use: account\n  - call: GET /cards\n    query: { cardAccountId: \${cardAccountId} }`,
      "mine.yaml:5:29 An expression within { } or [ ] has to be quoted, such as '${cardId}'.",
    ],
    [
      `${head}  - call: GET /cards/lock`,
      'mine.yaml:3:11 call must be a method and a path of the interface, such as POST /cards/lock. /cards/lock takes POST.',
    ],
    [
      `${head}  - call: GET /payouts/PH/banks`,
      'mine.yaml:3:11 call must be a method and a path of the interface, such as POST /cards/lock. Write GET /payouts/{countryCode}/banks with params: { countryCode: … }.',
    ],
    [
      `${head}  - control: POST /clok`,
      'mine.yaml:3:14 control must be a call of the control plane, such as POST /clock. Did you mean POST /clock?',
    ],
    [`${head}  - call: POST /cards/lock\n    within: 5s`, 'mine.yaml:4:5 within is for a GET: a POST is sent once.'],
    [`${head}  - call: POST /cards/lock\n    query: { a: b }`, 'mine.yaml:4:5 POST /cards/lock takes no query.'],
    [
      `${head}  - call: GET /payouts\n    query: { payoutId: a, accountID: b }`,
      'mine.yaml:4:27 accountID isn’t a query parameter of GET /payouts; it takes payoutId, accountId, xid, pageSize, pageToken. Did you mean accountId?',
    ],
    [`${head}  - call: GET /ping\n    params: { a: b }`, 'mine.yaml:4:5 GET /ping takes no params.'],
    [
      `${head}  - call: GET /payouts/{countryCode}/banks`,
      'mine.yaml:3:5 GET /payouts/{countryCode}/banks needs params with countryCode.',
    ],
    [
      `${head}  - call: GET /payouts/{countryCode}/banks\n    params: { country: PH }`,
      'mine.yaml:4:5 GET /payouts/{countryCode}/banks needs params with countryCode.',
    ],
    [`${head}  - call: GET /ping\n    body: {}`, 'mine.yaml:4:5 GET /ping takes no body.'],
    [
      `${head}  - call: POST /cards/lock\n    body: { cardAccountId: '\${run}', cardID: '\${run}' }`,
      'mine.yaml:4:38 cardID isn’t a field of POST /cards/lock. Did you mean cardId?',
    ],
    [
      `${head}  - call: POST /cardaccounts/simulate-client-identity-status\n    body: { cardAccountId: '\${run}', action: rejected }`,
      'mine.yaml:4:46 action must be one of approve, reject.',
    ],
    [
      `${head}  - call: GET /cardaccounts?pageSize=3`,
      'mine.yaml:3:11 call must be a method and a path of the interface, such as POST /cards/lock. Write GET /cardaccounts with query: { pageSize: 3 }.',
    ],
    [
      `${head}  - call: GET /ping\n    expect: { body.message: $present }`,
      'mine.yaml:4:29 A matcher is a map: { $present: true }.',
    ],
    [
      `${head}  - call: GET /payouts\n     query: {}`,
      'mine.yaml:3:11 The line can’t be read: indent it like those beside it, and quote a text that has a colon and a space.',
    ],
    [`${head}  - call: GET /ping\n    within: 5`, 'mine.yaml:4:13 within must be a time such as 500ms, 5s or 2m.'],
    [`${head}  - event: card.updatedd`, 'mine.yaml:3:5 card.updatedd is no event. Did you mean card.updated?'],
    [
      `${head}  - call: GET /ping\nfinally:\n  - cal: GET /ping`,
      'mine.yaml:5:5 A step must have one of call, control, event, deliveries, receiver, open, use, repeat. Did you mean call?',
    ],
    [
      `${head}  - call: GET /ping\nfinally:\n  - call: GET /ping\n    key: \${lost}`,
      'mine.yaml:6:10 lost isn’t set before it is used here.',
    ],
    [
      `${head}  - call: GET /ping\n    key: \${omitt()}`,
      'mine.yaml:4:10 The expression can’t be read: omitt isn’t a function; there are omit, uuid, length, find; omit may be meant.',
    ],
  ])('%s', (text, expected) => {
    expect(mistakes(text)[0]).toBe(expected)
  })

  test('no message is one of a library', () => {
    const files = ['[]', 'a', 'scenario: 1\nsteps: 2', `${head}  - 3`, `${head}  - call: 4`, `${head}  - use: [5]`]
    for (const text of [
      ...files,
      `${head}  - call: GET /ping\ntags: x`,
      `${head}  - call: GET /ping\nmatrix: { a: [] }`,
    ]) {
      const found = mistakes(text)
      expect(found).not.toEqual([])
      expect(found.join('\n')).not.toMatch(/Invalid|Too (big|small)|expected \w+, received|>=|YAML/)
    }
  })

  test('a body is right where it is refused on purpose, or as far as it is known only at the run', () => {
    const call = `${head}  - call: POST /cards/lock\n    body: `
    expect(mistakes(`${call}{ cardID: x }\n    expect: { status: 400 }`)).toEqual([])
    expect(mistakes(`${call}'\${run}'`)).toEqual([])
    expect(mistakes(`${call}{ cardAccountId: '\${run}', cardId: '\${run}', channel: app }`)).toEqual([])
    expect(mistakes(`${call}{ cardAccountId: x, cardId: '\${run}' }`)).toEqual([
      expect.stringContaining('cardAccountId must be a UUID'),
    ])
    expect(mistakes(`${call}{ cardId: '\${run}' }`)).toEqual(['mine.yaml:4:11 cardAccountId is required.'])
  })

  test('all mistakes of a kind are named at once', () => {
    expect(mistakes(`${head}  - call: GET /nothing\n  - receiver: 99\n  - open: 3`)).toHaveLength(3)
  })

  test('aliases that multiply a file are refused', () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]']
    for (const [index, name] of [...'bcdefgh'].entries()) {
      bomb.push(`${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefg'[index]}`).join(', ')}]`)
    }
    expect(mistakes(bomb.join('\n'))).toEqual([expect.stringMatching(/^mine.yaml:1:1 Excessive alias count/)])
  })
})

test('what a step saves, a repetition counts and a fragment saves can be used afterwards', () => {
  const text = `${head}  - use: account
  - repeat: 2
    steps:
      - call: GET /cards
        query: { cardAccountId: '\${cardAccountId}', pageSize: '\${repeat}' }
        save: { first: 'body.cards[repeat - 1].id' }
  - call: GET /ping
    key: \${first}`
  expect(mistakes(text)).toEqual([])
})

describe('cases', () => {
  test('a map of a matrix is each combination, a list is each of its maps', () => {
    const map = scenarioOf(`${head}  - call: GET /ping\nmatrix: { a: [1, 2], b: [x, y] }`)
    const cases = expandCases(map)
    expect(cases.ok && cases.value.map(({ label }) => label)).toEqual([
      'a: 1, b: x',
      'a: 1, b: y',
      'a: 2, b: x',
      'a: 2, b: y',
    ])
    const open = scenarioOf(`${head}  - call: GET /ping\nvars: { a: null }\nmatrix: { a: [1, 2] }`)
    expect(expandCases(open)).toMatchObject({ ok: true, value: [{ label: 'a: 1' }, { label: 'a: 2' }] })
    const list = expandCases(scenarioOf(`${head}  - call: GET /ping\nmatrix: [{ case: won, a: 1 }, { a: 2 }]`))
    expect(list).toEqual({
      ok: true,
      value: [
        { label: 'won', variables: { case: 'won', a: 1 } },
        { label: 'a: 2', variables: { a: 2 } },
      ],
    })
  })

  test('a variable without a value has to be given, and none may be given that there isn’t', () => {
    const scenario = scenarioOf(`${head}  - call: GET /ping\nvars: { cardAccountId: null, limit: 5 }`)
    expect(expandCases(scenario)).toEqual({
      ok: false,
      error: ['mine.yaml needs a value for cardAccountId: --var cardAccountId=value.'],
    })
    expect(expandCases(scenario, { cardAccountId: 'a', limit: '7.5', virtualProductId: 'p' })).toMatchObject({
      ok: true,
      value: [{ label: null, variables: { cardAccountId: 'a', limit: 7.5 } }],
    })
    const flags = scenarioOf(`${head}  - call: GET /ping\nvars: { isOn: false, isOff: true, other: true }`)
    expect(expandCases(flags, { isOn: 'true', isOff: 'false', other: 'yes' })).toMatchObject({
      value: [{ variables: { isOn: true, isOff: false, other: 'yes' } }],
    })
    expect(expandCases(scenario, { cardAccountId: 'a', lmit: '7' })).toEqual({
      ok: false,
      error: ['lmit isn’t a variable of mine.yaml.'],
    })
  })

  test('a variable of a fragment of a fragment may be given', () => {
    const steps = `${head}  - use: `
    const read = (text: string, used: ReadonlyMap<string, Scenario>) => {
      const parsed = parseScenario(text, 'mine.yaml', used)
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.error))
      return parsed.value
    }
    const inner = scenarioOf(`${head}  - call: GET /ping\nvars: { user: olivia }`)
    const outer = read(`${steps}./inner.yaml\n`, new Map([['./inner.yaml', inner]]))
    const scenario = read(`${steps}./outer.yaml\n`, new Map([['./outer.yaml', outer]]))
    expect(expandCases(scenario, { user: 'sam' }).ok).toBe(true)
    expect(expandCases(scenario, { usr: 'sam' }).ok).toBe(false)
  })

  test('a variable of a fragment that has no value needs one, wherever the fragment is used without it', () => {
    const inner = scenarioOf(`${head}  - call: GET /ping\nvars: { user: null }`)
    const use = (steps: string) => {
      const parsed = parseScenario(`scenario: Mine\n${steps}`, 'mine.yaml', new Map([['./inner.yaml', inner]]))
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.error))
      return parsed.value
    }
    const needing = { ok: false, error: ['mine.yaml needs a value for user: --var user=value.'] }
    const plain = use('steps: [{ use: ./inner.yaml }]\n')
    expect(expandCases(plain)).toEqual(needing)
    expect(missingVariables(plain, {})).toEqual(['user'])
    expect(expandCases(plain, { user: 'sam' }).ok).toBe(true)
    const ending = 'steps: [{ call: GET /ping }]\nfinally: [{ repeat: 2, steps: [{ use: ./inner.yaml }] }]\n'
    expect(expandCases(use(ending))).toEqual(needing)
    expect(listVariables(use(ending))).toEqual([{ name: 'user', value: null }])
    // A value that a step gives is one, null too.
    for (const value of ['sam', 'null'])
      expect(expandCases(use(`steps: [{ use: ./inner.yaml, with: { user: ${value} } }]\n`)).ok).toBe(true)
  })

  test('more than 200 cases are refused', () => {
    const numbers = JSON.stringify(Array.from({ length: 15 }, (_, index) => index))
    const scenario = scenarioOf(`${head}  - call: GET /ping\nmatrix: { a: ${numbers}, b: ${numbers} }`)
    expect(expandCases(scenario)).toEqual({ ok: false, error: ['mine.yaml has 225 cases; at most 200 are run.'] })
  })
})

test('docs/carddesk.scenario.schema.json is the schema that validates', async () => {
  await expect(`${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(
    '../../../docs/carddesk.scenario.schema.json',
  )
})

test('the calls of the control plane are those that it has', () => {
  expect([...controlCalls].sort()).toEqual(controlRoutes.map(({ method, path }) => `${method} ${path}`).sort())
})

test('every built-in scenario has a description, a tag and a title of its own', () => {
  const scenarios = builtInScenarios(projectRoot).map(({ scenario }) => scenario)
  for (const { scenario, description, tags } of scenarios) {
    expect(description, scenario).toBeTruthy()
    expect(tags, scenario).not.toHaveLength(0)
  }
  expect(new Set(scenarios.map(({ scenario }) => scenario)).size).toBe(scenarios.length)
})

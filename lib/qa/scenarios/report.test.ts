import { expect, test } from 'vitest'
import { caseText, junitXml, runReport, type CaseReport, type StepReport } from './report.ts'

const step: StepReport = {
  name: 'Lock it',
  fragment: null,
  line: 14,
  outcome: 'failed',
  durationMs: 12,
  reason: null,
  request: { method: 'POST', path: '/service/v1/cards/lock', body: '{}' },
  response: { status: 200, requestId: 'req-1', body: '{"status":"active"}' },
  differences: [{ path: 'body.status', expected: '"<locked>"', found: '"active\u0000"' }],
}
const report: CaseReport = {
  file: 'card-lock.yaml',
  title: 'Lock & unlock',
  label: 'virtual',
  run: '0011aabb',
  outcome: 'failed',
  startedAt: '2026-11-22T12:00:00.000Z',
  durationMs: 1234,
  steps: [step, { ...step, name: 'Unlock it', outcome: 'not run', differences: [], request: null, response: null }],
  created: [{ kind: 'card', id: 'c-1' }],
}
const passed: CaseReport = { ...report, outcome: 'passed', label: null, steps: [], created: [] }
const skipped: CaseReport = {
  ...passed,
  file: 'other.yaml',
  outcome: 'skipped',
  steps: [{ ...step, outcome: 'skipped', reason: 'No control plane.' }],
}

test('a failed case says where, what was expected, what was found, and what it created', () => {
  expect(caseText(report)).toBe(`✗ Lock & unlock (virtual)  1234 ms
  ✗ Lock it  line 14  POST /service/v1/cards/lock 200  12 ms
      body.status: expected "<locked>"
                      found "active\u0000"
      response {"status":"active"}
      request id req-1
  · Unlock it  not run
  created: card c-1`)
  expect(caseText(passed)).toBe('✓ Lock & unlock  1234 ms')
  expect(caseText(skipped)).toContain('No control plane.')
})

test('JUnit XML has a suite for each file and a case for each case, well formed whatever was found', () => {
  const run = runReport([report, passed, skipped], new Date('2026-11-22T12:00:00Z'), 4000)
  expect(run).toMatchObject({ outcome: 'failed', counts: { passed: 1, failed: 1, skipped: 1 } })
  const xml = junitXml(run)
  expect(xml).toContain(
    '<testsuites name="carddesk scenarios" tests="3" failures="1" errors="0" skipped="1" time="4.000">',
  )
  expect(xml).toContain('<testsuite name="card-lock.yaml" tests="2" failures="1" errors="0" skipped="0" time="2.468"')
  expect(xml).toContain(
    '<testcase name="Lock &amp; unlock (virtual)" classname="card-lock" time="1.234"><properties><property name="card" value="c-1"/></properties>',
  )
  expect(xml).toContain(
    '<failure message="Lock it: body.status expected &quot;&lt;locked&gt;&quot;, found &quot;active&quot;">',
  )
  expect(xml).toContain('<skipped message="No control plane."/>')
  expect(xml).not.toContain('\u0000')
})

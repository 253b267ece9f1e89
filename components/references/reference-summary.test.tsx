import { expect, test } from 'vitest'
import type { FieldChange } from '#lib/contract/xmetadata-rules.ts'
import { summarizeReference } from './reference-draft.ts'

const keep: FieldChange = { mode: 'keep' }
const remove: FieldChange = { mode: 'remove' }
const replace = (text: string): FieldChange => ({ mode: 'replace', text })
const before = { xid: 'EMP-1', xmetadata: { team: 'ops', floor: 3 } }
const nothing = { xid: null, xmetadata: null }

test.each([
  [before, keep, keep, ['left out, so it stays as it is (“EMP-1”)', '(an object with 2 keys)'], false],
  [before, replace('EMP-2'), keep, ['“EMP-1” is replaced by “EMP-2”', 'left out'], false],
  [before, replace('EMP-1'), keep, ['which is what is there already', 'left out'], false],
  [before, remove, keep, ['“EMP-1” is removed (null is sent)', 'left out'], true],
  [before, keep, remove, ['left out', 'an object with 2 keys is removed as a whole'], true],
  [before, keep, replace('{"team":"ops","floor":3}'), ['left out', 'already is sent again'], false],
  [before, keep, replace('{"floor":4,"team":"ops","desk":1}'), ['left out', 'new: “desk”; changed: “floor”.'], false],
  [before, keep, replace('{"team":"ops"}'), ['left out', 'replaced as a whole; gone: “floor”.'], true],
  [before, keep, replace('"x"'), ['left out', 'an object with 2 keys is replaced by a text'], true],
  [nothing, replace('A'), replace('["a"]'), ['becomes “A”', 'becomes a list of 1 text'], false],
  [nothing, remove, remove, ['there is none now', 'there is none now'], false],
])('%j, %j, %j', (was, xid, xmetadata, [first, second], isDestructive) => {
  const summary = summarizeReference(was, { xid, xmetadata })
  expect(summary.sentences[0]).toContain(first)
  expect(summary.sentences[1]).toContain(second)
  expect(summary.isDestructive).toBe(isDestructive)
})

import { expect, test } from 'vitest'
import { referenceBody } from '#lib/contract/xmetadata-rules.ts'
import { toReferenceChange } from './reference-draft.ts'
import { toXmetadataDraft } from './xmetadata-draft.ts'

const target = { type: 'cardaccount', id: 'a' } as const
const modes = ['keep', 'replace', 'remove'] as const
const sentXid = { keep: {}, replace: { xid: 'EMP-9' }, remove: { xid: null } }
const sentMetadata = { keep: {}, replace: { xmetadata: { team: 'ops', n: 1 } }, remove: { xmetadata: null } }

test.each(modes.flatMap((xidMode) => modes.map((metadataMode) => [xidMode, metadataMode] as const)))(
  'xid: %s, metadata: %s are distinguished in the exact body',
  (xidMode, metadataMode) => {
    const entered = { xidMode, xid: 'EMP-9', metadataMode, metadata: toXmetadataDraft({ team: 'ops', n: 1 }) }
    const { value, isNothing, errors } = toReferenceChange(entered)
    expect(errors).toEqual({})
    expect(isNothing).toBe(xidMode === 'keep' && metadataMode === 'keep')
    if (isNothing) return expect(value).toBe(null)
    expect(value && JSON.stringify(referenceBody(target, value))).toBe(
      JSON.stringify({ target, ...sentXid[xidMode], ...sentMetadata[metadataMode] }),
    )
  },
)

test('issues of both fields are shown, and a field that is not replaced is not validated', () => {
  const metadata = { ...toXmetadataDraft(null), shape: 'json' as const, json: '{' }
  const wrong = toReferenceChange({ xidMode: 'replace', xid: '', metadataMode: 'replace', metadata })
  expect(wrong.value).toBe(null)
  expect(wrong.errors).toEqual({ xid: 'The external ID must not be empty.', json: expect.stringContaining('Line 1') })
  expect(toReferenceChange({ xidMode: 'keep', xid: '', metadataMode: 'remove', metadata })).toMatchObject({
    errors: {},
  })
})

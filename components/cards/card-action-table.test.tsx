import { expect, test } from 'vitest'
import { cardActionTable as consoleTable } from '#lib/console/cards/action-table.ts'
import { cardActions } from '#lib/contract/card-transitions.ts'
import { cardActionTable } from './card-action-table.ts'

test('every action of the contract stands in the table once', () => {
  expect(cardActionTable.map(({ id }) => id).toSorted()).toEqual([...cardActions].toSorted())
})

test.each(cardActionTable.map((row) => ({ id: row.id, row })))(
  '$id asks for the permission and the reason that the console wants',
  ({ id, row }) => {
    const wanted = consoleTable[id]
    const reason = row.fields.find((field) => field.kind === 'reason')
    expect(row.permission).toBe(wanted.permission)
    expect(reason?.isRequired ?? false).toBe(wanted.needsReason)
  },
)

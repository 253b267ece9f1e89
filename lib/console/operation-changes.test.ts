import { expect, test } from 'vitest'
import { operationDefinition, operationKinds } from '#lib/api/actions.ts'
import { findReadDefinition, readDefinitions, type ReadName, readTopic } from '#lib/api/reads.ts'
import type { OperationRow } from '#lib/operations/journal.ts'
import { operationTable } from './operation-table.ts'

/** Reads of a topic that no operation on its records changes, or that a page keeps as the person began with it. */
const unaffected: readonly ReadName[] = [
  'listCardProducts',
  'listIndividualLists',
  'listMetadataKeys',
  'previewReplay',
  'readDelivery',
  'readLimitDraft',
]
/** A card's status and PIN are in no balance and no transaction. */
const unaffectedByCards: readonly ReadName[] = ['explainBalance', 'listTransactions', 'readTransaction']

/** The types of changes that a kind publishes, for any record that it can be about. */
function publishedTypes(kind: (typeof operationKinds)[number]): Set<string> {
  const rows = ['cardaccount', 'card', 'payout'].map((targetType) => ({
    targetType,
    targetId: 'id',
    targetParentId: 'parent',
  }))
  return new Set(rows.flatMap((row) => operationTable[kind].changes(row as OperationRow).map(({ type }) => type)))
}

test.each(operationKinds)('after %s, other pages reread what the page of the person who did it rereads', (kind) => {
  const { changes = [] } = operationDefinition(kind)
  const published = publishedTypes(kind)
  const missed = (Object.keys(readDefinitions) as ReadName[]).filter(
    (name) =>
      changes.includes(readTopic(name)) &&
      !Object.keys(findReadDefinition(name).staleOn ?? {}).some((type) => published.has(type)) &&
      !unaffected.includes(name) &&
      !(kind.startsWith('card.') && unaffectedByCards.includes(name)),
  )
  expect(missed).toEqual([])
})

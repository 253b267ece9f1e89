import { z } from 'zod'
import { text } from '#lib/contract/fields.ts'
import { deleteSnapshot, listSnapshots, restoreSnapshot, takeSnapshot } from '../snapshots.ts'
import { controlRoute } from './control-route.ts'

const Id = z.strictObject({
  id: z.string('must be a string').regex(/^[0-9a-f]{16}$/, 'must be the id of a snapshot'),
})

export const snapshotRoutes = [
  controlRoute({
    method: 'GET',
    path: '/snapshots',
    response: async ({ db }) => ({ snapshots: await listSnapshots(db) }),
  }),
  controlRoute({
    method: 'POST',
    path: '/snapshots',
    body: z.strictObject({ name: text(100) }),
    response: ({ db }, { name }) => takeSnapshot(db, name),
  }),
  controlRoute({
    method: 'DELETE',
    path: '/snapshots',
    query: Id,
    response: async ({ db }, { id }) => {
      await deleteSnapshot(db, id)
      return { snapshots: await listSnapshots(db) }
    },
  }),
  controlRoute({
    method: 'POST',
    path: '/snapshots/restore',
    body: Id,
    response: ({ db }, { id }) => restoreSnapshot(db, id),
  }),
]

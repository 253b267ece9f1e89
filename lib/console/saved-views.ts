import 'server-only'
import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { homeActions } from '#lib/api/home.ts'
import { longestViewName, savedLists, viewQuery, type SavedList } from '#lib/api/saved-views.ts'
import { requirePermission, requireCurrentStaff } from '#lib/auth/session.ts'
import { database } from '#lib/db/connection.ts'
import { lockByName } from '#lib/db/locks.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { action } from '#lib/gate/action.ts'
import type { NotStarted } from '#lib/operations/types.ts'
import { nullOn } from '#lib/shared/app-error.ts'
import { EnvironmentName, noCardNumber, plainText } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { savedViews as view } from '#lib/tables/team.ts'
import { requireUnmaskedFilters } from './card-accounts/list.ts'

/** A list as a person saved it. `query` is the search part of its URL, `columns` null where the table chooses them. */
export type SavedView = {
  id: string
  list: SavedList
  name: string
  query: string
  columns: string[] | null
  isDefault: boolean
}

const mostViews = 50

/** The views that the person of this request has saved in the environment, by list and name. */
export async function listSavedViews(environment: Environment): Promise<{ views: SavedView[] }> {
  const {
    staff: { id: staffId },
  } = await requireCurrentStaff()
  const { id, list, name, query, columns, isDefault } = view
  const views = await database()
    .select({ id, list, name, query, columns, isDefault })
    .from(view)
    .where(and(eq(view.environment, environment), eq(view.staffId, staffId)))
    .orderBy(asc(view.list), asc(sql`lower(${view.name})`))
    .limit(mostViews * savedLists.length)
  return { views }
}

/** The query of the view that a list opens with; null where there is none that the person's role may open, or without a session. */
export async function defaultViewQuery(environment: Environment, list: SavedList): Promise<string | null> {
  const staff = await nullOn(requirePermission('accounts.read', environment))
  if (!staff) return null
  const [found] = await database()
    .select({ query: view.query })
    .from(view)
    .where(and(eq(view.environment, environment), eq(view.staffId, staff.id), eq(view.list, list), view.isDefault))
  if (!found?.query) return null
  const { groupKey, group, within } = Object.fromEntries(new URLSearchParams(found.query))
  const isOpen = await nullOn(requireUnmaskedFilters(environment, { groupKey, group, within }).then(() => true))
  return isOpen ? found.query : null
}

const Name = z
  .string('must be text')
  .trim()
  .min(1, 'must not be empty')
  .pipe(plainText(longestViewName))
  .refine(...noCardNumber)
const ViewId = z.uuid('must be a UUID').toLowerCase()

const SaveView = z.object({
  environment: EnvironmentName,
  /** Made by the dialog: the same view under double click and retry. */
  viewId: ViewId,
  list: z.enum(savedLists, 'must be a list'),
  name: Name,
  query: plainText(4000)
    .refine(...noCardNumber)
    .transform(viewQuery),
  columns: z
    .array(z.string().regex(/^[\w-]{1,64}$/))
    .max(50)
    .nullable(),
  isDefault: z.boolean('must be true or false'),
})

const ChangeView = z.object({
  environment: EnvironmentName,
  viewId: ViewId,
  name: Name.optional(),
  isDefault: z.boolean('must be true or false').optional(),
})

const DeleteView = z.object({ environment: EnvironmentName, viewId: ViewId })

type ViewResult = { kind: 'saved' } | NotStarted

/** Saves a view of a list for the person of this request. A name counts once for each list, in any case. */
export const saveView = manage(
  'saveView',
  SaveView,
  async ({ viewId, environment, list, isDefault, ...values }, staffId) => {
    const ofList = and(eq(view.environment, environment), eq(view.staffId, staffId), eq(view.list, list))
    return inTransaction(database(), async (tx) => {
      await lockByName(tx, 'views of a person', staffId)
      const others = and(ofList, ne(view.id, viewId))
      const names = await tx.select({ name: view.name }).from(view).where(others)
      if (names.length >= mostViews) return { name: `can’t be saved: a list has at most ${mostViews} views` }
      if (names.some(({ name }) => isSameName(name, values.name))) return taken
      if (isDefault) await tx.update(view).set({ isDefault: false }).where(others)
      await tx
        .insert(view)
        .values({ id: viewId, environment, staffId, list, isDefault, ...values, createdAt: new Date() })
        .onConflictDoUpdate({ target: view.id, set: { ...values, isDefault }, setWhere: ofList })
      return null
    })
  },
)

/** Renames a view of the person, or makes it what its list opens with. */
export const changeView = manage(
  'changeView',
  ChangeView,
  async ({ viewId, environment, name, isDefault }, staffId) => {
    const own = and(eq(view.environment, environment), eq(view.staffId, staffId))
    return inTransaction(database(), async (tx) => {
      await lockByName(tx, 'views of a person', staffId)
      const [found] = await tx
        .select()
        .from(view)
        .where(and(own, eq(view.id, viewId)))
      if (!found) return gone
      const others = and(own, eq(view.list, found.list), ne(view.id, viewId))
      if (name !== undefined) {
        const names = await tx.select({ name: view.name }).from(view).where(others)
        if (names.some((other) => isSameName(other.name, name))) return taken
      }
      if (isDefault) await tx.update(view).set({ isDefault: false }).where(others)
      await tx
        .update(view)
        .set({ ...(name === undefined ? {} : { name }), ...(isDefault === undefined ? {} : { isDefault }) })
        .where(eq(view.id, viewId))
      return null
    })
  },
)

/** Deletes a view of the person. Deleting a missing view succeeds. */
export const deleteView = manage('deleteView', DeleteView, async ({ viewId, environment }, staffId) => {
  await database()
    .delete(view)
    .where(and(eq(view.id, viewId), eq(view.environment, environment), eq(view.staffId, staffId)))
  return null
})

const taken = { name: 'is used by another view of this list' }
const gone = { viewId: 'is not a view of yours' }

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** The gate's checks around a change of a preference; its result are the issues of the input by field, or null. */
function manage<Schema extends z.ZodType>(
  name: keyof typeof homeActions,
  input: Schema,
  change: (given: z.output<Schema>, staffId: string) => Promise<Record<string, string> | null>,
) {
  return action(name, {
    input,
    run: async (given, { staff }): Promise<ViewResult> => {
      const fields = await change(given, staff.id)
      return fields === null ? { kind: 'saved' } : { kind: 'invalid', fields }
    },
  })
}

import 'server-only'
import { z } from 'zod'
import type { BulkItemEntry } from '#lib/operations/bulk/start.ts'
import { accountTarget } from '#lib/operations/spec.ts'
import { isFields, textIn } from '#lib/shared/json.ts'
import { noCardNumber, plainText } from '#lib/shared/parse.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { countLeftOut, jobKind, rowsText } from '../bulk/plan.ts'
import { findChosenAccounts } from '../card-accounts/chosen.ts'
import { cardRow, findChosenCards } from '../cards/plan-card-job.ts'
import { xmetadataRevision } from './detail.ts'

const text = plainText(256)
  .refine(...noCardNumber)
  .transform((entered) => entered.trim())
  .pipe(z.string().min(1, 'must be given'))

const Settings = z.strictObject({ targetType: z.enum(['cardaccount', 'card']), key: text, value: text })
type Settings = z.output<typeof Settings>

type Row = Pick<BulkItemEntry, 'target' | 'facts'> & { xmetadata: unknown }

const chosen: Record<
  Settings['targetType'],
  (
    environment: Environment,
    ids: readonly string[] | null,
    filters: Record<string, unknown>,
  ) => Promise<Omit<Awaited<ReturnType<typeof findChosenAccounts>>, 'accounts'> & { rows: Row[] }>
> = {
  async cardaccount(environment, ids, filters) {
    const { accounts, ...found } = await findChosenAccounts(environment, ids, filters)
    const rows = accounts.map(({ id, name, xid, xmetadata }) => ({
      target: accountTarget(id, name),
      facts: { account: name, xid },
      xmetadata,
    }))
    return { ...found, rows }
  },
  async card(environment, ids, filters) {
    const { cards, ...found } = await findChosenCards(environment, ids, filters)
    return { ...found, rows: cards.map((one) => ({ ...cardRow(one), xmetadata: one.record.xmetadata })) }
  },
}

/**
 * Sets one key of the metadata of many accounts or cards. The interface replaces metadata as a whole: the other keys are sent as the
 * index has them, and a row whose metadata has changed since is refused (references/operations.ts). Left out: `same` has
 * the value already, `other-form` has metadata without keys.
 */
export const tagJob = jobKind({
  settings: Settings,
  title: (rows, { targetType }) => `Tag ${rowsText(rows, targetType === 'card' ? 'card' : 'account')}`,
  async plan({ environment, ids, filters, settings: { targetType, key, value } }) {
    const { rows, unknown, isTruncated, asOf } = await chosen[targetType](environment, ids, filters)
    const tagged = rows.map((row) => tag(row, key, value))
    const items = tagged.flatMap((one) => (typeof one === 'string' ? [] : [one]))
    return {
      items,
      leftOut: [...countLeftOut(tagged.filter((one) => typeof one === 'string')), ...unknown],
      isTruncated,
      asOf,
      effect: { replaced: items.filter(({ facts }) => facts.before !== 'none').length },
    }
  },
  toSettings: ({ target, body, facts: { key } }) => ({
    targetType: target.type,
    key: key ?? '',
    value: textIn(body.xmetadata, key ?? '') ?? '',
  }),
})

/** The row of a record, or why it is left out. */
function tag({ target, facts, xmetadata }: Row, key: string, value: string): BulkItemEntry | 'same' | 'other-form' {
  const before = xmetadata ?? {}
  if (!isFields(before)) return 'other-form'
  const hasKey = Object.hasOwn(before, key)
  if (hasKey && before[key] === value) return 'same'
  return {
    target,
    endpoint: 'setXmetadata',
    body: { target: { type: target.type, id: target.id }, xmetadata: { ...before, [key]: value } },
    facts: { ...facts, key, before: hasKey ? 'another value' : 'none', revision: xmetadataRevision(before) },
  }
}

import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { maskForReader } from '#lib/auth/masked-reads.ts'
import { auditEntries } from '#lib/tables/audit.ts'
import { changes } from '#lib/tables/changes.ts'
import { indexedPayouts } from '#lib/tables/payouts.ts'
import { staff } from '#lib/tables/staff.ts'
import { readCardAccount, listCardAccounts } from '../card-accounts/list.ts'
import { readMyWork } from '../my-work.ts'
import { listPayouts } from '../payouts/list-payouts.ts'
import { cardIn } from '../testing/cards.ts'
import { accountsIn, chargeFees } from '../testing/fees.ts'
import { shareConsole } from '../testing/open-console.ts'
import { readTransaction } from '../transactions/detail.ts'
import { listAssignees, listNotes } from './read.ts'
import { longestNote } from './types.ts'
import { addNote, finishHandover, pinNote, takeHandover } from './write.ts'

const desk = shareConsole({ seeded: 6 })

async function anAccount(position = 0): Promise<string> {
  const { rows } = await listCardAccounts('sandbox', { pageSize: 5 })
  const id = rows[position]?.account.id ?? ''
  await readCardAccount('sandbox', id)
  return id
}

function noteOn(targetId: string, more: Partial<Parameters<typeof addNote>[0]> = {}): Parameters<typeof addNote>[0] {
  return {
    environment: 'sandbox',
    noteId: randomUUID(),
    targetType: 'cardaccount',
    targetId,
    text: 'Called the cardholder',
    ...more,
  }
}

const handoversOf = async () =>
  (await readMyWork('sandbox')).sections.find(({ source }) => source === 'handovers')?.items ?? []

test('a note is written once for its id, is audited without its text, and reaches open pages', async () => {
  await desk.signIn('support')
  const id = await anAccount()
  const input = noteOn(id, { text: 'Line one\r\n<img src=x onerror=alert(1)> ' })
  expect(await Promise.all([addNote(input), addNote(input)])).toEqual([{ kind: 'saved' }, { kind: 'saved' }])
  const { notes } = await listNotes('sandbox', 'cardaccount', id.toUpperCase())
  expect(notes).toMatchObject([
    { text: 'Line one\n<img src=x onerror=alert(1)>', by: { role: 'support' }, isPinned: false, handover: null },
  ])
  const entries = await desk.db.select().from(auditEntries).where(eq(auditEntries.act, 'note.add'))
  expect(entries).toMatchObject([{ targetType: 'cardaccount', targetId: id, outcome: 'done', comment: null }])
  const published = await desk.db.select({ about: changes.about }).from(changes)
  expect(published.flatMap(({ about }) => about)).toContainEqual({ type: 'notes', target: { type: 'cardaccount', id } })
  expect(desk.requests.get('/xmetadata/set')).toBeUndefined()
})

test('a note that was saved before is not saved with another text or for somebody else', async () => {
  await desk.signIn('support')
  const input = noteOn(await anAccount(4))
  expect(await addNote(input)).toEqual({ kind: 'saved' })
  const mismatch = { kind: 'refused', outcome: { code: 'OPERATION_MISMATCH' } }
  expect(await addNote({ ...input, text: 'Called the cardholder twice' })).toMatchObject(mismatch)
  expect(await addNote({ ...input, handover: { role: 'operations' } })).toMatchObject(mismatch)
  expect(await addNote(input)).toEqual({ kind: 'saved' })
})

test('a card number, an empty text, too long a text and an unknown assignee are refused by their field', async () => {
  await desk.signIn('operations')
  const id = await anAccount()
  for (const [more, field] of [
    [{ text: 'It is 4242 4242 4242 4242' }, 'text'],
    [{ text: '  \n ' }, 'text'],
    [{ text: 'x'.repeat(longestNote + 1) }, 'text'],
    [{ text: 'a\u0000b' }, 'text'],
    [{ handover: { staffId: randomUUID() } }, 'handover'],
    [{ handover: { role: 'viewer' } }, 'handover'],
  ] as const) {
    expect(await addNote(noteOn(id, more))).toMatchObject({ kind: 'invalid', fields: { [field]: expect.any(String) } })
  }
})

test('a record that the service does not have takes no note and shows none', async () => {
  await desk.signIn('operations')
  const id = randomUUID()
  expect(await addNote(noteOn(id))).toMatchObject({ kind: 'refused', outcome: { code: 'CARD_ACCOUNT_NOT_FOUND' } })
  await expect(listNotes('sandbox', 'cardaccount', id)).rejects.toMatchObject({ code: 'CARD_ACCOUNT_NOT_FOUND' })
  await expect(listNotes('sandbox', 'payout', id)).rejects.toMatchObject({ code: 'PAYOUT_NOT_FOUND' })
})

test('pinned notes come first', async () => {
  await desk.signIn('operations')
  const id = await anAccount(1)
  const first = noteOn(id, { text: 'first' })
  await addNote(first)
  await addNote(noteOn(id, { text: 'second' }))
  const texts = async () => (await listNotes('sandbox', 'cardaccount', id)).notes.map(({ text }) => text)
  expect(await texts()).toEqual(['second', 'first'])
  await pinNote({ environment: 'sandbox', noteId: first.noteId, isPinned: true })
  expect(await texts()).toEqual(['first', 'second'])
  await pinNote({ environment: 'sandbox', noteId: first.noteId, isPinned: false })
  expect(await texts()).toEqual(['second', 'first'])
})

test('a hand-over waits for its person or its role alone, until somebody marks it done', async () => {
  const olivia = await desk.signIn('operations')
  const id = await anAccount(2)
  await desk.signIn('support')
  const forPerson = noteOn(id, { text: 'for Olivia', handover: { staffId: olivia?.id ?? '' } })
  const forRole = noteOn(id, { text: 'for approvers', handover: { role: 'approver' } })
  await addNote(forPerson)
  await addNote(forRole)
  expect(await handoversOf()).toEqual([])
  await desk.signIn('operations')
  expect(await handoversOf()).toMatchObject([{ id: forPerson.noteId, text: 'for Olivia', target: { id } }])
  await desk.signIn('approver')
  expect((await readMyWork('sandbox')).count).toBe(1)
  expect(await handoversOf()).toMatchObject([{ text: 'for approvers', by: 'Samuel Ng' }])
  const done = { environment: 'sandbox' as const, noteId: forRole.noteId }
  expect(await Promise.all([finishHandover(done), finishHandover(done)])).toHaveLength(2)
  expect(await handoversOf()).toEqual([])
  const { notes } = await listNotes('sandbox', 'cardaccount', id)
  expect(notes.find(({ id: noteId }) => noteId === forRole.noteId)?.handover?.done).toMatchObject({ by: 'Ada Ng' })
  expect(await desk.db.select().from(auditEntries).where(eq(auditEntries.act, 'note.finish'))).toHaveLength(1)
})

test('notes of an account, its cards and its payouts are shown together on each of them, by their record', async () => {
  await desk.signIn('operations')
  const { target, last4 } = await cardIn(desk, 'active')
  const { cardAccountId, cardId } = target
  const { account } = await readCardAccount('sandbox', cardAccountId)
  const { payouts } = await listPayouts('sandbox', {})
  const [payout, other] = payouts.map(({ id }) => id)
  const name = async (id: string | undefined, xmetadata: object) =>
    desk.db
      .update(indexedPayouts)
      .set({ record: sql`record || ${JSON.stringify({ xmetadata })}::jsonb` })
      .where(eq(indexedPayouts.id, id ?? ''))
  await name(payout, { employee: (account.xid ?? account.id).toLowerCase() })
  await name(other, { employee: 'somebody else' })
  await addNote(noteOn(cardAccountId, { text: 'on the account' }))
  await addNote(noteOn(cardId, { targetType: 'card', text: 'on the card' }))
  await addNote(noteOn(payout ?? '', { targetType: 'payout', text: 'on the payout' }))
  await addNote(noteOn(other ?? '', { targetType: 'payout', text: 'on another payout' }))
  for (const [type, id] of [
    ['cardaccount', cardAccountId],
    ['card', cardId],
    ['payout', payout ?? ''],
  ] as const) {
    const { notes } = await listNotes('sandbox', type, id)
    const found = notes.filter(({ text }) => text.startsWith('on '))
    expect(
      found.map(({ text, target }) => [text, target.type, target.label]),
      type,
    ).toEqual([
      ['on the payout', 'payout', expect.stringMatching(/^Payout to /)],
      ['on the card', 'card', `Card ending ${last4}`],
      ['on the account', 'cardaccount', account.name],
    ])
  }
  expect((await listNotes('sandbox', 'payout', other ?? '')).notes.map(({ text }) => text)).toEqual([
    'on another payout',
  ])
})

test('a note on a transaction or a fee is shown on its account, too, and needs one that a page has shown', async () => {
  await desk.signIn('operations')
  const cardAccountId = (await accountsIn(desk)).at(-1)?.id ?? ''
  const { account } = await readCardAccount('sandbox', cardAccountId)
  const [fee] = await chargeFees(desk, cardAccountId, [12])
  const feeId = fee?.id ?? ''
  const transactionId = fee?.transaction?.id ?? ''
  const refused = await addNote(noteOn(transactionId, { targetType: 'transaction' }))
  expect(refused).toMatchObject({ kind: 'refused', outcome: { code: 'TRANSACTION_NOT_FOUND' } })
  await expect(listNotes('sandbox', 'fee', randomUUID())).rejects.toMatchObject({ code: 'FEE_NOT_FOUND' })
  const { transaction } = await readTransaction('sandbox', cardAccountId.toUpperCase(), transactionId)
  await addNote(noteOn(transactionId, { targetType: 'transaction', text: 'on the transaction' }))
  await addNote(noteOn(feeId, { targetType: 'fee', text: 'on the fee', handover: { role: 'operations' } }))
  for (const [type, id] of [
    ['cardaccount', cardAccountId],
    ['transaction', transactionId.toUpperCase()],
    ['fee', feeId],
  ] as const) {
    expect((await listNotes('sandbox', type, id)).notes, type).toMatchObject([
      {
        text: 'on the fee',
        target: { type: 'fee', id: feeId, parentId: account.id, label: `Test fee · 12.00 ${account.currency}` },
      },
      {
        text: 'on the transaction',
        target: { type: 'transaction', id: transactionId, label: transaction.description },
      },
    ])
  }
  expect((await handoversOf()).filter(({ text }) => text === 'on the fee')).toMatchObject([
    { target: { type: 'fee', label: `Test fee · 12.00 ${account.currency} · ${account.name}` } },
  ])
})

test('a hand-over names the cardholder and its due time, is taken by one person, and its answer waits for its author', async () => {
  const olivia = await desk.signIn('operations')
  const { target, last4 } = await cardIn(desk, 'active')
  const { cardAccountId, cardId } = target
  const { account } = await readCardAccount('sandbox', cardAccountId)
  const first = noteOn(cardId, { targetType: 'card', handover: { role: 'support' } })
  const dueAt = '2026-11-24T10:00:00+08:00'
  const urgent = noteOn(cardId, { targetType: 'card', text: 'call back', handover: { role: 'support' }, dueAt })
  await addNote(first)
  await addNote(urgent)
  await desk.signIn('support')
  expect(await handoversOf()).toMatchObject([
    { id: urgent.noteId, dueAt: '2026-11-24T02:00:00.000Z', canBeTaken: true },
    { id: first.noteId, dueAt: null, target: { label: `Card ending ${last4} · ${account.name}` } },
  ])
  const take = { environment: 'sandbox' as const, noteId: urgent.noteId }
  await desk.signIn('approver')
  await takeHandover(take)
  expect(await handoversOf()).toMatchObject([{ id: urgent.noteId, canBeTaken: false }])
  await desk.signIn('support')
  expect((await handoversOf()).map(({ id }) => id)).toEqual([first.noteId])
  await takeHandover(take)
  expect((await handoversOf()).map(({ id }) => id)).toContain(urgent.noteId)
  await addNote(noteOn(cardId, { targetType: 'card', text: 'Called at ten', answersId: urgent.noteId }))
  const wrong = noteOn(cardAccountId, { answersId: urgent.noteId })
  expect(await addNote(wrong)).toMatchObject({ kind: 'invalid', fields: { answersId: expect.any(String) } })
  await finishHandover(take)
  expect((await handoversOf()).map(({ id }) => id)).toEqual([first.noteId])
  await desk.signIn('operations')
  const answers = (await handoversOf()).filter(({ text }) => text?.startsWith('Answer'))
  expect(answers).toMatchObject([{ text: 'Answer: Called at ten', by: 'Samuel Ng' }])
  const { notes } = await listNotes('sandbox', 'card', cardId)
  expect(notes.find(({ id }) => id === urgent.noteId)?.handover).toMatchObject({
    taken: { by: 'Samuel Ng' },
    done: { by: 'Samuel Ng' },
  })
  expect(notes.find(({ answersId }) => answersId === urgent.noteId)?.handover?.person).toBe(olivia?.name)
  expect(await desk.db.select().from(auditEntries).where(eq(auditEntries.act, 'note.take'))).toHaveLength(2)
})

test('notes are handed only to people who may write them and have not lost their access', async () => {
  await desk.signIn('operations')
  const { roles, people } = await listAssignees('sandbox')
  expect(roles).not.toContain('viewer')
  expect(people.map(({ name }) => name)).toContain('Samuel Ng')
  expect((await listAssignees('production')).roles).not.toContain('qa')
  await desk.db.update(staff).set({ disabledAt: new Date() }).where(eq(staff.name, 'Ada Ng'))
  expect((await listAssignees('sandbox')).people.map(({ name }) => name)).not.toContain('Ada Ng')
})

test('a viewer reads the notes with e-mail addresses and phone numbers masked', async () => {
  await desk.signIn('operations')
  const id = await anAccount(3)
  await addNote(noteOn(id, { text: 'Write to olive@example.com or +852 9123 4567' }))
  await desk.signIn('viewer')
  const { notes } = await maskForReader(await listNotes('sandbox', 'cardaccount', id), 'sandbox')
  expect(notes[0]?.text).toBe('Write to o•••@example.com or •••• 4567')
})

import { bytesOf } from '../environments.ts'
import { performOperation } from '../operations/perform.ts'
import { readConsoleSettings } from '../settings.ts'

/** A console process of its own that performs the operations it is given, one after the other, until it is killed. */
type Task = { id: string; kind: 'card.lock' | 'card.unlock'; cardAccountId: string; cardId: string }

const settings = readConsoleSettings(process.env)
if (!settings.ok) throw new Error(settings.error.join(' '))
const tasks = JSON.parse(process.env.TASKS ?? '[]') as Task[]
process.stdout.write('ready\n')
for (const { id, kind, cardAccountId, cardId } of tasks) {
  const endpoint = kind === 'card.lock' ? 'lockCard' : 'unlockCard'
  const { row } = await performOperation({
    id,
    environment: 'sandbox',
    kind,
    by: { id: '5d1c7a52-0000-4000-8000-000000000002', name: 'Samuel Ng', role: 'support' },
    target: { type: 'card', id: cardId, parentId: cardAccountId, label: null },
    reason: null,
    comment: null,
    endpoint,
    ...bytesOf('sandbox', endpoint, { cardAccountId, cardId }),
    holdsSecret: false,
    statusBefore: null,
    expected: null,
  })
  process.stdout.write(`${row.state} ${id}\n`)
}
process.exit(0)

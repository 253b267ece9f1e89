import { readConsoleSettings } from '#lib/settings/console-settings.ts'
import { type CardTask, performCardTask, performReplaceTask, type ReplaceTask } from './cards.ts'
import { reportReady } from './report-ready.ts'

/** A console process of its own that performs the operations it is given, one after the other, until it is killed. */
const settings = readConsoleSettings(process.env)
if (!settings.ok) throw new Error(settings.error.join(' '))
const tasks = JSON.parse(process.env.TASKS ?? '[]') as (CardTask | ReplaceTask)[]
reportReady()
for (const task of tasks) {
  const { state } = await (task.kind === 'card.replace' ? performReplaceTask(task) : performCardTask(task))
  process.stdout.write(`${state} ${task.id}\n`)
}
process.exit(0)

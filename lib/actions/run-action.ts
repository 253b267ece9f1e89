'use server'

import type { ActionName } from '#lib/api/actions.ts'
export type { ActionInput, ActionOutput } from '#lib/console/actions.ts'
import { type ActionInput, type ActionOutput, actions } from '#lib/console/actions.ts'

/** Every action of the browser, by its name. It takes one input, whatever else a browser sends. */
export async function runAction<Name extends ActionName>(
  name: Name,
  input: ActionInput<Name>,
): Promise<ActionOutput<Name>> {
  if (!Object.hasOwn(actions, name)) throw new TypeError('There is no such action.')
  const run = actions[name] as (input: ActionInput<Name>) => Promise<ActionOutput<Name>>
  return run(input)
}

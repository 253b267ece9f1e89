'use server'

import * as lab from '#lib/console/lab/actions.ts'
import * as explorer from '#lib/console/lab/explorer.ts'
import * as recording from '#lib/console/lab/recording.ts'
import * as runs from '#lib/console/lab/scenario-runs.ts'
import * as reproductions from '#lib/console/reproduce/build.ts'
import { serverAction } from '#lib/shared/sanitized-errors.ts'

export const performLabAction = serverAction(lab.performLabAction)

export const sendExplorerRequest = serverAction(explorer.sendExplorerRequest)

export const buildReproduction = serverAction(reproductions.buildReproduction)

export const startScenarios = serverAction(runs.startScenarios)
export const stopScenarios = serverAction(runs.stopScenarios)
export const recordScenario = serverAction(recording.recordScenario)

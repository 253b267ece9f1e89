import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { FrameLocator, Page } from '@playwright/test'
import type { EmbedObject } from '#lib/api/embed-view.ts'
import { signEmbedToken, type EmbedClaims } from '#lib/console/embed/token.ts'
import { serverOfWorker } from './server-of-worker.ts'

/* The demo's help desk, on an origin of its own. */

const { url: consoleUrl = 'http://localhost:1', accessFile = '' } = serverOfWorker() ?? {}
export const url = consoleUrl
export const helpDesk = `http://embed.localhost:${new URL(url).port}`

/** A token as the server of this worker signs it. */
export function sign(
  object: EmbedObject,
  options: Partial<EmbedClaims> & { now?: Date; sealingKey?: Buffer } = {},
): Promise<string> {
  const stored = readFileSync(path.join(path.dirname(accessFile), 'keys', 'console-sealing-key'), 'utf8')
  const { sealingKey = Buffer.from(stored, 'base64'), now = new Date(), ...given } = options
  const support = { kind: 'staff', id: '5d1c7a52-0000-4000-8000-000000000002' } as const
  const claims: EmbedClaims = { object, origin: helpDesk, creator: support, ...given }
  return signEmbedToken({ sealingKey, consoleUrl: url }, claims, now)
}

export const viewIn = (page: Page): FrameLocator => page.frameLocator('carddesk-view iframe')

export function helpDeskUrl(object: EmbedObject, look: Record<string, string> = {}): string {
  const { environment, type, id, cardAccountId } = object
  return `${helpDesk}/?${new URLSearchParams({ environment, type, id, cardAccountId: cardAccountId ?? '', ...look })}`
}

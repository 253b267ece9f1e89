'use server'

import * as tokens from '#lib/console/embed/create-token.ts'
import type { CreateEmbedTokenInput, CreateEmbedTokenResult } from '#lib/console/embed/create-token.ts'
import * as keys from '#lib/console/embed/keys.ts'
import type { CreateKeyInput, CreateKeyResult, RevokeKeyInput, RevokeKeyResult } from '#lib/console/embed/keys.ts'

export async function createEmbedToken(input: CreateEmbedTokenInput): Promise<CreateEmbedTokenResult> {
  return tokens.createEmbedToken(input)
}

export async function createEmbedKey(input: CreateKeyInput): Promise<CreateKeyResult> {
  return keys.createEmbedKey(input)
}

export async function revokeEmbedKey(input: RevokeKeyInput): Promise<RevokeKeyResult> {
  return keys.revokeEmbedKey(input)
}

import { defineActions } from './action.ts'
import { defineReads, forever, record } from './read.ts'

export const embedReads = defineReads({
  // It changes with the console's settings only.
  readEmbedHosts: { path: 'embed/hosts', needs: 'embeds.create', poll: { staleAfter: forever } },
  readEmbedSettings: { path: 'embed/settings', needs: 'embeds.manage', poll: { ...record, staleAfter: 2_000 } },
})

export const embedActions = defineActions({
  createEmbedToken: { needs: 'embeds.create', act: 'embed.create', label: 'Create embed token' },
  createEmbedKey: { needs: 'embeds.manage', act: 'embed-key.create', label: 'Create embed key', changes: ['embed'] },
  revokeEmbedKey: { needs: 'embeds.manage', act: 'embed-key.revoke', label: 'Revoke embed key', changes: ['embed'] },
})

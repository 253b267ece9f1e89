import { defineReads, forever, record } from './read.ts'

export const embedReads = defineReads({
  // It changes with the console's settings only.
  readEmbedHosts: { path: 'embed/hosts', needs: 'embeds.create', poll: { staleAfter: forever } },
  readEmbedSettings: { path: 'embed/settings', needs: 'embeds.manage', poll: { ...record, staleAfter: 2_000 } },
})

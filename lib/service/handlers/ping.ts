import type { Handlers } from '../handler.ts'

export const pingHandlers = {
  ping: async () => ({ message: 'pong' }),
} satisfies Handlers<'ping'>

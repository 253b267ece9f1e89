import { describe, expect, test } from 'vitest'
import { runAction } from '#lib/actions/run-action.ts'
import { usualModes } from '#lib/service/modes.ts'
import { shareConsole } from '../testing/open-console.ts'
import { payoutsMade, philippines, quoted, resultState, makeSubmission } from '../testing/payouts.ts'

const desk = shareConsole({ seeded: 1 })

const losses = [
  ['the connection drops after the effect', { status: 0, after: true }, 1],
  ['a 500 follows the effect', { status: 500, after: true }, 1],
  ['a 429 follows the effect', { status: 429, after: true }, 1],
  ['an HTML page follows the effect', { shape: { kind: 'html' } }, 1],
  ['a 204 follows the effect', { shape: { kind: 'no-content' } }, 1],
  ['the response has no id', { shape: { kind: 'null', at: 'id' } }, 1],
  ['the connection drops before the effect', { status: 0, after: false }, 0],
  ['a 503 comes before the effect', { status: 503, after: false }, 0],
] as const
const keyModes = [
  ['honours keys', {}],
  ['honours keys without saying so', { replay: 'unmarked' }],
  ['ignores the header', { ignoreIdempotencyKeys: 'header' }],
  ['ignores keys', { ignoreIdempotencyKeys: true }],
] as const

describe.each(keyModes)('a service that %s', (_mode, modes) => {
  describe.each(losses)('%s', (_loss, fault, effects) => {
    test.each([1, 4])('on %d requests: never a second payout, and the outcome is true', async (times) => {
      await desk.signIn('operations')
      await desk.service.control('DELETE', '/faults')
      await desk.service.control('POST', '/modes', { ...usualModes, ...modes })
      const quote = await quoted(philippines)
      const armed = await desk.service.control('POST', '/faults', { path: '/payouts', method: 'POST', times, ...fault })
      expect(armed.status).toBe(200)
      const keys: unknown[] = []
      desk.intercept.before = ({ method, url, headers }, _response, body) => {
        if (method === 'POST' && url?.endsWith('/payouts'))
          keys.push(headers['idempotency-key'], (JSON.parse(body) as { idempotencyKey: unknown }).idempotencyKey)
        return false
      }
      const input = makeSubmission(quote, philippines)
      let result = await runAction('payout.submit', input)
      for (let tries = 0; tries < 3 && resultState(result) !== 'done'; tries += 1)
        result = await runAction('payout.submit', input)
      const made = await payoutsMade(desk, quote.id)
      expect(made.length).toBeLessThanOrEqual(1)
      if (made.length === 1) {
        expect(result).toMatchObject({ operation: { outcome: { state: 'done' }, resultId: made[0]?.id } })
      } else {
        expect(result).toMatchObject({ operation: { outcome: { state: 'unknown', changed: 'unknown' } } })
      }
      expect(new Set(keys), 'header and body of each attempt').toEqual(new Set([input.operationId]))
      const isIgnoring = 'ignoreIdempotencyKeys' in modes && modes.ignoreIdempotencyKeys === true
      if (effects === 1) expect(made).toHaveLength(1)
      // Nothing shows that keys count, so the request is not sent again, whatever became of it.
      if (isIgnoring) expect(keys, 'one request').toHaveLength(2)
      if (isIgnoring && effects === 0) {
        expect(result).toMatchObject({ operation: { outcome: { code: 'NEEDS_REVIEW', needsReview: true } } })
      }
    })
  })
})

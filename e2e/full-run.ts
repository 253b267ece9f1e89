/** Whether this is `npm run e2e:full`, which tries all that `npm test` has time for in part. */
export const isFull = process.env.E2E === 'full'

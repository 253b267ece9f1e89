import { expect, test } from 'vitest'
import { AppError } from '#lib/shared/app-error.ts'
import { readProblems, type Allowance, type Read } from './read-problems.ts'

const [id, other] = ['0b54a6d2-0000-4000-8000-000000000001', '0b54a6d2-0000-4000-8000-000000000002']
const fee = { id, amount: '12.5', limit: '20000', status: 'posted', createdAt: '2026-01-02T03:04:05.000Z', note: null }
const usual = { fees: [fee, { ...fee, id: other }], count: 2, currency: { name: 'HKD' } }
const nothing: Allowance = { mayThrow: false, lost: [], restore: (text) => text }

const read = (result: unknown, requests = 1): Read => ({ result, error: null, requests })
const thrown = (error: unknown): Read => ({ result: null, error, requests: 1 })
const withFee = (change: object) =>
  read({
    ...usual,
    fees: [
      { ...fee, ...change },
      { ...fee, id: other },
    ],
  })
const problems = (given: Read, allowance: Partial<Allowance> = {}) =>
  readProblems(read(usual), given, { ...nothing, ...allowance })

test('a result without the value that a response lacks has no problem', () => {
  expect(problems(read(usual))).toEqual([])
  expect(problems(withFee({ amount: null, createdAt: null }))).toEqual([])
  expect(problems(read({ ...usual, count: 0 }))).toEqual([])
  expect(problems(read({ ...usual, fees: usual.fees.slice(1) }), { lost: [id] })).toEqual([])
  expect(problems(read({ ...usual, fees: [] }), { lost: 'all' })).toEqual([])
  expect(problems(thrown(new AppError('SERVICE_REFUSED', 'GET /fees returned a list.')), { mayThrow: true })).toEqual(
    [],
  )
  expect(problems(withFee({ id: 'ID-17' }), { restore: (text) => text.replace('id-17', id) })).toEqual([])
})

test.each<[string, Read, string]>([
  ['an undefined value', withFee({ amount: undefined }), 'amount is undefined'],
  ['NaN', withFee({ amount: Number.NaN }), 'amount is NaN'],
  ['Infinity', withFee({ amount: Number.POSITIVE_INFINITY }), 'amount is Infinity'],
  ['NaN in a text', withFee({ amount: 'HKD NaN' }), 'amount is "HKD NaN"'],
  ['undefined in a text', withFee({ note: 'card ending undefined' }), 'note is "card ending undefined"'],
  ['null as text', withFee({ note: 'null' }), 'note is "null"'],
  ['an object as text', withFee({ note: '[object Object]' }), 'note is "[object Object]"'],
  ['an invalid date', withFee({ createdAt: 'Invalid Date' }), 'createdAt is "Invalid Date"'],
  ['a date of 1970', withFee({ createdAt: '1970-01-01T00:00:00.000Z' }), 'createdAt is 1970'],
  ['an invented 0', withFee({ amount: '0.00' }), 'amount is an invented 0, usually "12.5"'],
  ['an invented limit of 0', withFee({ limit: '0' }), 'limit is an invented 0, usually "20000"'],
  ['a value of another type', withFee({ status: 7 }), 'status is 7, usually "posted"'],
  ['a field that is gone', read({ ...usual, currency: {} }), 'currency lacks name'],
  ['a record that is gone', read({ ...usual, fees: [fee] }), `fees<${other}> is missing`],
  ['more than one further request', read(usual, 3), '3 requests, usually 1'],
  ['an error that is no refusal', thrown(new TypeError('x is not a function')), 'throws TypeError'],
  ['a refusal where nothing essential is odd', thrown(new AppError('FEE_NOT_FOUND', 'There is none.')), 'refuses'],
])('%s is a problem', (_, given, problem) => {
  expect(problems(given)).toEqual([expect.stringContaining(problem)])
})

test('an error without a readable message is a problem', () => {
  const mayThrow = new AppError('SERVICE_REFUSED', 'The service returned undefined.')
  expect(problems(thrown(mayThrow), { mayThrow: true })).toEqual(['refuses with "The service returned undefined."'])
})

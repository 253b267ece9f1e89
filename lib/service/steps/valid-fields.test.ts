import { expect, test } from 'vitest'
import { z } from 'zod'
import { Currency, queryList } from '#lib/contract/fields.ts'
import { validFields } from './parse-request.ts'

const Person = z.object({ name: z.string().optional(), age: z.number().optional() })
const Shape = z
  .object({
    id: z.string(),
    size: z.string().transform(Number),
    person: Person.optional(),
    parents: z.array(Person),
    target: z.object({ id: z.string() }),
    currencies: queryList(Currency).optional(),
  })
  .refine(() => false, 'is never right as a whole')

test('fields that are right by themselves stay, parsed; those that are wrong or missing are left out', () => {
  expect(validFields(Shape, { id: 5, size: '12', more: 1 })).toEqual({ size: 12 })
  expect(validFields(Shape, { id: 'a', target: { id: 'b' } })).toEqual({ id: 'a', target: { id: 'b' } })
})

test('of a field that is wrong in part, what is right about it stays where that is enough', () => {
  expect(validFields(Shape, { person: { name: 'Ann', age: 'x' }, target: { id: 7 } })).toEqual({
    person: { name: 'Ann' },
  })
  expect(validFields(Shape, { parents: [5, { name: 'Ann', age: 'x' }, 'y', { age: 3 }] })).toEqual({
    parents: [{ name: 'Ann' }, { age: 3 }],
  })
  expect(validFields(Shape, { currencies: ['HKD,abc', 'USD'] })).toEqual({ currencies: ['HKD', 'USD'] })
})

test('what is hopeless is left out: no object, no schema, a thousand wrong items', () => {
  expect(validFields(Shape, { person: [], parents: Array.from({ length: 1000 }, () => 5) })).toEqual({})
  expect([validFields(Shape, null), validFields(Shape, []), validFields(undefined, {})]).toEqual([{}, {}, {}])
})

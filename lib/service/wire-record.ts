import { z } from 'zod'
import { toWire } from '#lib/shared/money.ts'

/** A value of a record as a column has it: instants are dates, amounts decimal text. */
type Stored<Value> = Value extends string ? Value | Date : Value extends number ? Value | string : Value
type Row<Fields> = { [Name in keyof Fields]: Stored<Fields[Name]> }

/**
 * Makes the records of a schema of the contract from rows of the database, each field from the column of its name;
 * `derived` has the fields that are no columns.
 */
export function wireRecord<Schema extends z.ZodObject>({ shape }: Schema) {
  const fields = Object.entries(shape).map(([name, field]) => {
    const isNumber = (field instanceof z.ZodNullable ? field.unwrap() : field) instanceof z.ZodNumber
    return { name, isNumber }
  })
  type Fields = z.output<Schema>
  return <Derived extends Partial<Fields> = object>(
    row: Row<Omit<Fields, keyof Derived>>,
    derived?: Derived,
  ): Fields => {
    const given: Readonly<Record<string, unknown>> = { ...row, ...derived }
    const record: Record<string, unknown> = {}
    for (const { name, isNumber } of fields) {
      const value = given[name]
      if (value instanceof Date) record[name] = value.toISOString()
      else record[name] = isNumber && typeof value === 'string' ? toWire(value) : value
    }
    return record as Fields
  }
}

/** The values that are there. */
export function present<Value>(values: readonly (Value | null | undefined)[]): Value[] {
  return values.filter((value) => value !== null && value !== undefined)
}

type With<Row, Field extends keyof Row> = Row & { [Name in Field]: NonNullable<Row[Name]> }

/** The rows of which a field is provided: neither null nor undefined. */
export function having<Row, Field extends keyof Row>(rows: readonly Row[], field: Field): With<Row, Field>[] {
  return rows.filter((row): row is With<Row, Field> => row[field] !== null && row[field] !== undefined)
}

/** The rows of which a field is not provided. */
export function lacking<Row>(rows: readonly Row[], field: keyof Row): Row[] {
  return rows.filter((row) => row[field] === null || row[field] === undefined)
}

/** An order of values of which some may not be known: these come last. */
export function unknownLast<Value>(
  compare: (one: Value, other: Value) => number,
): (one: Value | null, other: Value | null) => number {
  return (one, other) =>
    one === null || other === null ? Number(one === null) - Number(other === null) : compare(one, other)
}

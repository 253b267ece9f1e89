/** Why a file is not read at all. `line` is where, counted from 1; null where it is the file as a whole. */
export type CsvProblem = { line: number | null; problem: string }

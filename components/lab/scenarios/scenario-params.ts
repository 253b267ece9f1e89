import { parseAsInteger, parseAsString } from 'nuqs/server'

/** What the URL of the scenarios page holds: the run and the case that are shown, and the tag of the list. */
export const scenarioParams = { run: parseAsString, case: parseAsInteger, tag: parseAsString }

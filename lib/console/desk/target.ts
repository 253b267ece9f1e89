/** What an operation or an audit entry is about. `label` is what a person calls it, such as `card ending 4242`. */
export type Target = { type: string; id: string; parentId: string | null; label: string | null }

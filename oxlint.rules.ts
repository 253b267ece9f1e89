type Node = { type: string; name?: string; value?: unknown }
type Call = { callee: Node & { object: Node; property: Node } }
type Context = { report: (problem: { node: Node; message: string }) => void }

/** Objects whose `transaction` is not a pool's: nested transactions (savepoints), and the URLs of pages. */
const allowed = new Set(['tx', 'routes', 'apiRoutes'])

/** The project's own rules, a plugin of oxlint. */
export default {
  meta: { name: 'carddesk' },
  rules: {
    /** Drizzle's own `transaction` never gives its connection back when BEGIN fails. */
    'one-transaction-helper': {
      create: (context: Context) => ({
        CallExpression({ callee }: Call) {
          if (callee.type !== 'MemberExpression') return
          const { object, property } = callee
          const isTransaction = (property.name ?? property.value) === 'transaction'
          if (!isTransaction || allowed.has(object.name ?? '')) return
          context.report({ node: callee, message: 'Use inTransaction of #lib/db/transaction.ts.' })
        },
      }),
    },
  },
}

import path from 'node:path'
import { importedFile, mayImport, findRoom } from './import-table.ts'

type Node = { type: string; name?: string; value?: unknown }
type Call = { callee: Node & { object: Node; property: Node } }
type Import = { source?: Node | null }
type Context = { filename: string; cwd: string; report: (problem: { node: Node; message: string }) => void }

/** Objects whose `transaction` is not a pool's: nested transactions (savepoints), and the URLs of pages. */
const allowed = new Set(['tx', 'routes', 'apiRoutes'])

/** The project's own rules, a plugin of oxlint. */
export default {
  meta: { name: 'carddesk' },
  rules: {
    /** Imports, also of types and lazy ones, follow the table of import-table.ts. */
    'import-table': {
      create: (context: Context) => {
        const file = path.relative(context.cwd, context.filename).replaceAll(path.sep, '/')
        const check = ({ source }: Import) => {
          if (typeof source?.value !== 'string') return
          const imported = importedFile(file, source.value)
          if (imported === null) return
          const isOtherRoom = source.value.startsWith('.') && findRoom(file) !== findRoom(imported)
          if (isOtherRoom && /^(app|components|lib|e2e)\//.test(file) && !/\.(css|json|mjs)$/.test(imported))
            context.report({
              node: source,
              message: 'Name another folder by its address, such as #lib/shared/money.ts.',
            })
          else if (!mayImport(file, imported))
            context.report({ node: source, message: `import-table.ts does not allow this import of ${imported}.` })
        }
        return {
          ImportDeclaration: check,
          ExportNamedDeclaration: check,
          ExportAllDeclaration: check,
          ImportExpression: check,
          TSImportType: ({ argument, source }: Import & { argument?: Node & { literal?: Node } }) =>
            check({ source: source ?? argument?.literal ?? argument }),
        }
      },
    },
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

import { OperationScreen } from '#components/operations/operation-screen.tsx'
import { routes } from '#lib/shared/routes.ts'
import { page, read } from '../../prefetch.tsx'

export const metadata = { title: 'Operation' }

export default page<'operationId'>(({ environment, operationId }) => ({
  here: routes.operation(environment, operationId),
  reads: [read('readOperationRecord', environment, operationId)],
  screen: <OperationScreen operationId={operationId} />,
}))

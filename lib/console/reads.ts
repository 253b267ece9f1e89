import 'server-only'
// Registers the operations, which lib/operations finds by their kind.
import './operation-table.ts'
import { labApi } from '#lib/qa/lab/api.ts'
import { reproduceApi } from '#lib/qa/reproduce/api.ts'
import { approvalApi } from './approvals/api.ts'
import { auditApi } from './audit/api.ts'
import { bulkApi } from './bulk/api.ts'
import { cardAccountApi } from './card-accounts/api.ts'
import { cardApi } from './cards/api.ts'
import { connectionApi } from './connection/api.ts'
import { embedApi } from './embed/api.ts'
import { feeApi } from './fees/api.ts'
import { homeApi } from './home-api.ts'
import { identityApi } from './identity/api.ts'
import { inboxApi } from './inbox/api.ts'
import { limitApi } from './limits/api.ts'
import { noteApi } from './notes/api.ts'
import { operationApi } from './operations/api.ts'
import { payoutApi } from './payouts/api.ts'
import { rateApi } from './rates/api.ts'
import { referenceApi } from './references/api.ts'
import { requestApi } from './requests/api.ts'
import { staffApi } from './staff/api.ts'
import { transactionApi } from './transactions/api.ts'
import { webhookApi } from './webhooks/api.ts'

/** The reads of every resource, each behind the gate. */
export const reads = {
  ...approvalApi,
  ...auditApi,
  ...bulkApi,
  ...cardAccountApi,
  ...cardApi,
  ...connectionApi,
  ...embedApi,
  ...feeApi,
  ...homeApi,
  ...identityApi,
  ...inboxApi,
  ...labApi,
  ...limitApi,
  ...noteApi,
  ...operationApi,
  ...payoutApi,
  ...rateApi,
  ...referenceApi,
  ...reproduceApi,
  ...requestApi,
  ...staffApi,
  ...transactionApi,
  ...webhookApi,
}

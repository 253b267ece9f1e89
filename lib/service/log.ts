import { openLog } from '#lib/shared/log.ts'

export const { logFailure, logResealed } = openLog('carddesk service', 'CARD_NUMBER_KEY')

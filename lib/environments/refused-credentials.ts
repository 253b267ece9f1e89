import 'server-only'
import { statusMessage } from '#lib/client/read-response.ts'
import { errorTable, isErrorCode } from '#lib/contract/errors.ts'
import { consoleSettings } from '#lib/settings/console-settings.ts'
import type { Environment } from '#lib/shared/routes.ts'
import { asSentence } from '#lib/shared/texts.ts'

/** What a 401 of the service says, and what a person can do about it, by the credentials that the connection sends. */
export function refusedCredentials(
  environment: Environment,
  code: string | null,
  message: string | null,
): { happened: string; next: string } {
  const isAboutToken = code !== 'INVALID_ACCESS_KEY'
  const isKnown = code !== null && isErrorCode(code) && errorTable[code].status === 401
  if (isKnown && (!isAboutToken || isSigned(environment))) return errorTable[code]
  const said = message === null || message === statusMessage(401) ? '' : ` It says: ${asSentence(message)}`
  return {
    happened: `The card service refuses Carddesk’s credentials.${said}`,
    next: `Ask an admin to check the ${credentialsText(environment)} in the settings, then try again.`,
  }
}

/** Whether requests are signed; without a private key the access key goes alone (HTTP Basic). */
export function isSigned(environment: Environment): boolean {
  return Boolean(consoleSettings().services[environment]?.privateKey)
}

/** The credentials of the connection, by the names of their settings. */
export function credentialsText(environment: Environment): string {
  return isSigned(environment) ? 'access key and the private key' : 'access key'
}

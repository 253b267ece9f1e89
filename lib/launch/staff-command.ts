import { roles } from '#lib/auth/permissions.ts'
import { listAllStaff, changeStaff, commandLine, inviteStaff } from '#lib/console/staff/staff-changes.ts'
import type { StaffChange, StaffEntry } from '#lib/console/staff/types.ts'
import type { Database } from '#lib/db/connection.ts'
import { minuteMs } from '#lib/shared/time.ts'
import { requireSettings, type Settings } from './check-settings.ts'
import { loadEnv } from './command.ts'
import { withDatabase } from './database.ts'
import { runCommand } from './run-command.ts'

const usage = `Usage: npm run staff -- COMMAND

  list                    everybody with access: roles and who gave them, open sessions, last sign-in
  invite EMAIL ROLE       give an e-mail address a role from its first sign-in on
  role PERSON ROLE        change a role; it counts from the next request
  disable PERSON          end the access and every session
  enable PERSON           give the access back
  sign-out PERSON         end every session
  remove-passkeys PERSON  let somebody who lost them enrol again, after a fresh sign-in

PERSON is an id or an e-mail address. ROLE is one of ${roles.join(', ')}.
Each change is in the audit trail as "command line", with the user of this machine.`

const changes: Record<string, { act: StaffChange; done: string; takesRole?: true }> = {
  role: { act: 'staff.set-role', done: 'has a new role', takesRole: true },
  disable: { act: 'staff.disable', done: 'has no access any more and is signed out' },
  enable: { act: 'staff.enable', done: 'has access again' },
  'sign-out': { act: 'staff.sign-out', done: 'is signed out' },
  'remove-passkeys': { act: 'staff.remove-passkeys', done: 'has no passkeys any more and is signed out' },
}

/** Runs one command against the console's database and returns what to print. Throws an `Error` with a message for people. */
export async function runStaffCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const [command = '', who, role, ...rest] = args
  const change = Object.hasOwn(changes, command) ? changes[command] : undefined
  const takesRole = command === 'invite' || change?.takesRole === true
  const isComplete = command === 'list' ? who === undefined : who !== undefined && (role !== undefined) === takesRole
  if ((!change && command !== 'list' && command !== 'invite') || !isComplete || rest.length > 0) throw new Error(usage)

  const settings = requireSettings(environment)
  const origin = settings.isDemo ? 'demo' : 'oidc'
  return withDatabase(settings, 'carddesk staff', async (db) => {
    if (change) {
      const member = await changeStaff(db, commandLine, {
        act: change.act,
        who: who ?? '',
        origin,
        ...(role === undefined ? {} : { role }),
      })
      return `${member.name} (${member.role}) ${change.done}.`
    }
    if (command === 'invite') return invite(db, settings, who ?? '', role ?? '')
    return formatTable(await listAllStaff(db, origin, (settings.SESSION_IDLE_MINUTES ?? 15) * minuteMs))
  })
}

async function invite(db: Database, settings: Settings, email: string, role: string): Promise<string> {
  if (settings.isDemo) throw new Error('In demo mode nobody is invited: set OIDC_ISSUER first.')
  const invited = await inviteStaff(db, commandLine, email, role)
  return `${invited.email} is invited as ${invited.role}, from the first sign-in with that verified address on.`
}

function formatTable(entries: readonly StaffEntry[]): string {
  const rows = [
    ['ID', 'ROLE', 'ROLE BY', 'STATE', 'SESSIONS', 'LAST SIGN-IN', 'E-MAIL', 'NAME'],
    ...entries.map(({ id, role, isRoleByClaims, state, openSessions, lastSignInAt, email, name }) => [
      id,
      role,
      isRoleByClaims ? 'provider' : 'admin',
      state,
      String(openSessions),
      lastSignInAt ?? 'never',
      email,
      name,
    ]),
  ]
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** `npm run staff -- …`: who may use the console, and with which role. */
if (import.meta.main) {
  loadEnv()
  const printResult = async (args: string[]) => {
    console.log(await runStaffCommand(args, process.env))
    return 0
  }
  await runCommand(printResult, { usage, failure: 1 })
}

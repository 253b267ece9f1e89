import { expect, test } from 'vitest'
import { settings, type SettingName } from './settings.ts'

/** The sections of docs/settings.md: a setting belongs to the first one whose pattern it matches. */
const sections: readonly (readonly [title: string, text: string, names: RegExp])[] = [
  [
    'Server',
    'Without `OIDC_ISSUER` the console is a demo: it listens on this computer alone.',
    /^(PORT|HOST|DATA_|DATABASE_|TLS_|TRUSTED_|NEXTAUTH_URL)/,
  ],
  [
    'Sign-in',
    'The provider identifies people; groups, domains and invitations admit them ([deploy.md](deploy.md#sign-in)).',
    /^(OIDC_|SESSION_|STEP_UP|NEXTAUTH_|METADATA_)/,
  ],
  ['Services', 'How to connect one: [connecting.md](connecting.md).', /^(SERVICE_|BULK_)/],
  ['Embedded views', 'How to show one in a help desk: [embedding.md](embedding.md).', /^EMBED_/],
  ['Audit and monitoring', 'What the audit log proves: [audit.md](audit.md).', /^(AUDIT_|METRICS_|OTEL_|NOTIFY_)/],
  ['Built-in service', 'How to use it: [sandbox.md](sandbox.md).', /^(SANDBOX_|DEMO_)/],
  [
    'Keys',
    'Generated at the first start, into `DATA_DIR/keys`; several processes share them ([deploy.md](deploy.md#secrets)).',
    /_KEY(_PREVIOUS)?$/,
  ],
]

function sectionOf(name: SettingName): string {
  const found = sections.find(([, , names]) => names.test(name))
  if (!found) throw new Error(`${name} is in no section of docs/settings.md`)
  return found[0]
}

function settingsPage(): string {
  const names = Object.keys(settings) as SettingName[]
  const row = (name: SettingName) => {
    const { meaning, unset = '' }: { meaning: string; unset?: string } = settings[name]
    return `| \`${name}\` | ${meaning} | ${unset} |`
  }
  return [
    '# Settings',
    'Written by `lib/settings/settings.test.ts` from `lib/settings/settings.ts`.',
    'Environment variables, or lines of a file `.env`. With an invalid or unknown one the start stops and says why. A secret may come from a\nfile: `NOTIFY_URL_FILE=/run/secrets/notify-url`, and so for every key, password and `DATABASE_URL`.',
    ...sections.flatMap(([title, text]) => [
      `## ${title}`,
      text,
      [
        '| variable | meaning | default |\n| --- | --- | --- |',
        ...names.filter((name) => sectionOf(name) === title).map(row),
      ].join('\n'),
    ]),
  ].join('\n\n')
}

test('docs/settings.md has every setting as its schema describes it', async () => {
  await expect(`${settingsPage()}\n`).toMatchFileSnapshot('../../docs/settings.md')
})

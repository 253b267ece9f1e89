import { PlugZap } from 'lucide-react'
import { ButtonLink } from '#components/ui/button-link.tsx'
import { CopyButton } from '#components/ui/id-text.tsx'
import { Page } from '#components/ui/page.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { type Environment, routes } from '#lib/shared/routes.ts'

const meanings: [RegExp, string][] = [
  [/_URL$/, 'The base address of the card service, ending in the version, such as https://cards.example.com/v1'],
  [/_ACCESS_KEY$/, 'The Access Key (a UUID) that was issued for your public key'],
  [/_PRIVATE_KEY$/, 'Your RSA private key of 2048 bits or more, as PEM or as the path of a PEM file'],
]

/** An environment without a service: what to set, and where to go meanwhile. */
export function NotConnected({ environment, missing }: { environment: Environment; missing: readonly string[] }) {
  const name = environment === 'production' ? 'Production' : 'Sandbox'
  return (
    <Page
      className="mx-auto w-full max-w-2xl"
      title={`${name} is not connected`}
      label={name}
      subtitle="No service is configured for this environment, so there is nothing to show and nothing can be changed."
    >
      <Panel title="Required settings" isFlush>
        <dl className="divide-y">
          {missing.map((setting) => (
            <div key={setting} className="px-4 py-3">
              <dt className="flex items-center gap-1">
                <code className="font-mono font-medium break-all">{setting}</code>
                <CopyButton text={setting} label={setting} />
              </dt>
              <dd className="text-soft">{meanings.find(([pattern]) => pattern.test(setting))?.[1] ?? 'Required'}</dd>
            </div>
          ))}
        </dl>
      </Panel>
      <Panel>
        <div className="flex items-start gap-3">
          <PlugZap aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-faint" />
          <p className="text-soft">
            Set these and restart Carddesk. If one is wrong, startup stops and says which. Production also needs a
            sign-in provider (<code className="font-mono">OIDC_ISSUER</code>).
          </p>
        </div>
      </Panel>
      {environment === 'production' && (
        <div>
          <ButtonLink href={routes.overview('sandbox')}>Go to the sandbox</ButtonLink>
        </div>
      )}
    </Page>
  )
}

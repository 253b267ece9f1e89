import { releases } from '#lib/contract/releases.ts'
import { pingEveryMs, pingsBeforeDeletion, retryGapsMs } from '#lib/contract/webhook-retries.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '#lib/shared/time.ts'
import { mostSandboxes } from '../sandboxes/sandboxes.ts'
import { deliveryTimeoutMs } from '../webhooks/transport.ts'
import { html, type Html, table } from './html.ts'
import { receivingInNode, receivingInPython, signingInNode, signingInPython } from './samples.ts'

/** Guide for callers, beyond the endpoints. The retries are those of the schedule. */
export const guideSections = [
  { id: 'authentication', title: 'Authentication' },
  { id: 'receiving-events', title: 'Receiving events' },
  { id: 'clocks', title: 'Clocks' },
  { id: 'sandboxes', title: 'Sandboxes of their own' },
  { id: 'limits', title: 'Limits' },
] as const

function durationText(ms: number): string {
  if (ms % hourMs === 0) return `${ms / hourMs} h`
  return ms % minuteMs === 0 ? `${ms / minuteMs} min` : `${ms / secondMs} s`
}

function program(id: string, text: string): Html {
  return html`<pre id="${id}" tabindex="0"><code>${text}</code></pre>`
}

const code = (text: string) => html`<code>${text}</code>`

export function authenticationView(baseUrl: string): Html {
  return html`<section>
    <h2 id="authentication">Authentication</h2>
    <p>
      Each request carries a token of its own in <code>Authorization: Bearer …</code>: a JWT, signed by RS256 with the
      private key whose public half belongs to the access key. The key has 2048 bits or more. The sandbox also takes
      HTTP Basic: the access key as user name, an empty password, no signature (<code>curl -u "$ACCESS_KEY:"</code>),
      unless it runs with <code>SANDBOX_BASIC_AUTH=off</code>.
    </p>
    ${table(
      ['Claim', 'Value'],
      [
        [code('sub'), 'the access key, a UUID'],
        [
          code('uri'),
          html`path and query exactly as on the request line, without the host:
            <code>${new URL(baseUrl).pathname}/fees?pageSize=20</code>`,
        ],
        [code('method'), 'in upper case'],
        [
          code('body'),
          'lower-case hex SHA-256 of the raw bytes of the body. Without a body: the hash of no bytes, or no claim',
        ],
        [code('iat'), 'now, in seconds of real time; at most 5 s ahead of the service'],
        [code('exp'), 'at most 30 s after iat; 25 s is usual. 5 s of leeway'],
        [
          code('jti'),
          'any random text. Without one, equal POSTs of the same second have the same token, and all within 1.5 s take effect',
        ],
      ],
    )}
    <p>
      Serialize the body once, and hash and send the same bytes. Sign each attempt afresh: a token is good for one POST
      that takes effect. A 401 says which claim differs, what was given and what was expected. Its codes:
      <code>INVALID_SIGNATURE</code> (signature, <code>uri</code>, <code>method</code> or <code>body</code>),
      <code>INVALID_ACCESS_KEY</code> (unknown key, unreadable header or token),
      <code>TOKEN_EXPIRED</code> (<code>iat</code>, <code>exp</code>) and <code>TOKEN_REPLAYED</code>.
    </p>
    <h3>In Node</h3>
    ${program('sign-in-node', signingInNode(baseUrl))}
    <h3>In Python</h3>
    ${program('sign-in-python', signingInPython(baseUrl))}
  </section>`
}

export function receivingView(baseUrl: string): Html {
  const controlUrl = baseUrl.replace(/\/v1$/, '/control')
  const attempts = [0, ...retryGapsMs].map((gapMs, index) => [
    String(index + 1),
    index === 0 ? 'at once' : `${durationText(gapMs)} after the one before`,
  ])
  return html`<section>
    <h2 id="receiving-events">Receiving events</h2>
    <p>
      <a href="#createWebhook"><code>POST /webhooks</code></a> registers an address;
      <code>"events": ["*"]</code> subscribes it to everything. A delivery is a <code>POST</code> whose body is a
      <a href="#record-Delivery">Delivery</a>. The header <code>x-access-signature</code> is the base64 RSA-SHA256
      signature (PKCS #1 v1.5) of the raw body. The public key is at <code>GET ${controlUrl}/webhook-key</code> (PEM,
      without authentication).
    </p>
    <ul>
      <li>Only the status 200 within ${deliveryTimeoutMs / secondMs} s is a success. Redirects are not followed.</li>
      <li>
        Every attempt at an event has the same <code>id</code> and the same bytes. Take an id once: after a lost
        response, the event comes again.
      </li>
      <li>
        Events come in order, one queue for each webhook. One that fails holds back the rest; nothing overtakes it.
      </li>
      <li>Keep fields and events that you do not know: both sets grow.</li>
    </ul>
    <h3>In Node</h3>
    ${program('receive-in-node', receivingInNode(controlUrl))}
    <h3>In Python</h3>
    ${program('receive-in-python', receivingInPython(controlUrl))}
    <h3 id="retries">Retries, suspension and deletion</h3>
    ${table(['Attempt', 'When'], attempts)}
    <p>
      After the first failure the webhook is <code>unhealthy</code>; a 200 makes it <code>healthy</code> and the queue
      flows on. When attempt ${attempts.length} fails it is suspended (<code>error</code>): nothing is delivered, but a
      <code>ping</code> comes every ${durationText(pingEveryMs)}, and a 200 to a ping resumes delivery with everything
      that waited, in order. After ${(pingsBeforeDeletion * pingEveryMs) / hourMs} h of failing pings the webhook is
      deleted and what waited for it is dropped. A new webhook gets a ping first, whatever it subscribed to.
    </p>
    <p>
      All of this runs on the sandbox clock: <code>POST /service/control/clock</code> with
      <code>{"advance":"PT5M"}</code> makes the next retry due. <code>GET /service/control/deliveries</code> lists the
      attempts, <code>POST /service/control/deliveries/replay</code> sends an event of the last 90 days to any
      registered webhook, also one from before that webhook was registered.
    </p>
  </section>`
}

export const clocksView = html`<section>
  <h2 id="clocks">Clocks</h2>
  <p>
    The sandbox clock runs with real time until it is moved or frozen: <code>POST /service/control/clock</code> with
    <code>advance</code>, <code>to</code> or <code>freeze</code>. It never goes back but by a reset or a restored
    snapshot.
  </p>
  ${table(
    ['Judged by', 'What'],
    [
      [
        'The sandbox clock',
        'the times in records and events; quotes, captures, card production and payouts that fall due; retries, pings, suspension and deletion of webhooks; the 24 h of an idempotency key; the months and days of card limits; the 60 s of a link to sensitive data; rates',
      ],
      [
        'Real time',
        html`<code>iat</code> and <code>exp</code> of tokens; rate limits; the ${deliveryTimeoutMs / secondMs} s of a
          delivery; the request log`,
      ],
    ],
  )}
  <p>
    So sign with real time, whatever the sandbox clock shows, and compare <code>time</code> of an event with
    <code>GET /service/control/clock</code>, not with your own clock.
  </p>
</section>`

export const sandboxesView = html`<section>
  <h2 id="sandboxes">Sandboxes of their own</h2>
  <p>
    Tests that run at the same time make a sandbox each: <code>POST /service/control/sandboxes</code> with
    <code>{"from":"seed","ttl":"PT30M"}</code>. <code>from</code> is <code>seed</code> or the id or name of a snapshot,
    <code>ttl</code> at most <code>PT24H</code>, an hour without it. The response has the <code>baseUrl</code> for the
    client and the <code>controlUrl</code> for the tests.
  </p>
  <p>
    Records, events, clock, faults, modes, webhooks, snapshots and reset are its own. The same access keys are valid;
    the
    <code>uri</code> of a token is the whole path, <code>/service/sandboxes/…/v1/…</code>. There can be
    ${mostSandboxes}. <code>DELETE /service/control/sandboxes?id=…</code> ends one, as its time does: its addresses
    return 404 from then on.
  </p>
</section>`

export const limitsView = html`<section>
  <h2 id="limits">Limits</h2>
  ${table(
    ['Response header', 'Unit'],
    [
      [code('x-ratelimit-limit'), 'requests a minute, for each access key and endpoint'],
      [code('x-ratelimit-remaining'), 'requests that are left in this minute'],
      [code('x-ratelimit-reset'), html`<strong>milliseconds</strong> until the count begins again`],
      [code('retry-after'), html`<strong>seconds</strong> to wait, with a 429 <code>RATE_LIMITED</code>`],
    ],
  )}
  <p>
    1200 a minute by default; <code>SANDBOX_RATE_LIMIT_PER_MINUTE</code> changes it, 0 is no limit and no
    <code>x-ratelimit-*</code> headers. A body has at most 1 MiB. <code>pageSize</code> above 100 counts as 100. A
    stored response is sent again under its idempotency key for ${dayMs / hourMs} h. The control plane has no limit.
  </p>
</section>`

export const releasesView = html`<section>
  <h2 id="releases">Releases</h2>
  ${table(
    ['Release', 'From', 'Added'],
    releases.map(({ version, date, change }) => [code(version), date ?? 'undated', change]),
  )}
</section>`

import { endpointText } from '#lib/contract/endpoints.ts'
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from '#lib/contract/openapi.ts'
import { declineReasons } from '#lib/contract/sandbox.ts'
import { testValues } from '#lib/contract/test-values.ts'
import {
  authenticationView,
  clocksView,
  guideSections,
  limitsView,
  receivingView,
  releasesView,
  sandboxesView,
} from './guide.ts'
import { html, type Html, table } from './html.ts'
import { schemaView, typeView } from './schema-view.ts'

export const docsPath = '/service/docs'
export const stylePath = `${docsPath}/style.css`
export const postmanPath = `${docsPath}/postman.json`
const openApiPath = '/service/v1/openapi.json'

type Operation = { method: string; path: string; operation: OpenApiOperation }

/** The whole interface on one page, without a script and without anything from elsewhere. */
export function docsPage(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const groups = document.tags.map(({ name }) => ({
    name,
    operations: operations.filter(({ operation }) => operation.tags?.includes(name)),
  }))
  const baseUrl = document.servers[0]?.url ?? ''
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${document.info.title}</title>
        <link rel="stylesheet" href="${stylePath}" />
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <nav aria-label="Contents">${guideNavigation}${groups.map(navigationGroup)}${otherSections}</nav>
        <main id="content">
          <h1>${document.info.title} <small>${document.info.version}</small></h1>
          <p>${document.info.summary} ${document.info.description}</p>
          ${callingView(document)} ${authenticationView(baseUrl)} ${receivingView(baseUrl)} ${clocksView}
          ${sandboxesView} ${limitsView} ${testValuesView}
          ${groups.map(
            ({ name, operations }) =>
              html`<section>
                <h2 id="group-${name}">${name}</h2>
                ${operations.map(operationView)}
              </section>`,
          )}
          ${recordsView(document)} ${eventsView(document)} ${releasesView}
        </main>
      </body>
    </html>`
  return page.markup
}

const guideNavigation = html`<h2>Guide</h2>
  <ul>
    <li><a href="#calling">Calling it</a></li>
    ${guideSections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
    <li><a href="#test-values">Test values</a></li>
  </ul>`

const otherSections = html`<h2>More</h2>
  <ul>
    <li><a href="#records">Records</a></li>
    <li><a href="#events">Events</a></li>
    <li><a href="#releases">Releases</a></li>
    <li><a href="${openApiPath}">OpenAPI 3.1 document</a></li>
    <li><a href="${postmanPath}">Postman collection</a></li>
  </ul>`

function navigationGroup({ name, operations }: { name: string; operations: Operation[] }): Html {
  return html`<h2>${name}</h2>
    <ul>
      ${operations.map(
        ({ method, path, operation }) =>
          html`<li>
            <a href="#${operation.operationId}"><span class="method ${method}">${method}</span> ${path}</a>
          </li>`,
      )}
    </ul>`
}

function callingView({ servers: [server] }: OpenApiDocument): Html {
  const baseUrl = server?.url ?? ''
  return html`<section>
    <h2 id="calling">Calling it</h2>
    <p>
      The base address is <code>${baseUrl}</code>. The access key and the private key are in the access file whose path
      <code>npm start</code> prints. The sandbox takes the access key by HTTP Basic, with an empty password; a signed
      token is taken everywhere (<a href="#authentication">Authentication</a>). Every endpoint is in the
      <a href="${openApiPath}">OpenAPI document</a> and the <a href="${postmanPath}">Postman collection</a>.
    </p>
    <pre tabindex="0"><code>curl -u "$ACCESS_KEY:" '${baseUrl}/ping'
curl -u "$ACCESS_KEY:" -H 'Content-Type: application/json' -H "Idempotency-Key: quote-$(date +%s)" \\
  -d '{"method":"BANK_TRANSFER","accountId":"'$ACCOUNT_ID'","sourceCurrency":"HKD","sourceAmount":100,
       "destinationCountry":"PH","destinationCurrency":"PHP"}' '${baseUrl}/payouts/quote'</code></pre>
    <p>
      <code>$ACCESS_KEY</code> is the access key, and <code>$ACCOUNT_ID</code> the id of a funding account, from
      <code>GET /accounts</code>. The control plane at <code>/service/control</code> moves the clock, makes the service
      misbehave and reaches every state: <code>docs/sandbox.md</code> in the project.
      <code>GET /service/control/products</code> lists the ids for <a href="#issueCard"><code>productId</code></a
      >.
    </p>
  </section>`
}

const testValuesView = html`<section>
  <h2 id="test-values">Test values</h2>
  ${table(
    ['Endpoint', 'Field', 'Value', 'Result'],
    testValues.map(({ endpoint, field, value, result }) => [
      html`<a href="#${endpoint}">${endpointText(endpoint)}</a>`,
      html`<code>${field}</code>`,
      value,
      result,
    ]),
  )}
  <p>
    <code>POST /service/control/charges</code> declines a charge for any reason:
    ${Object.keys(declineReasons).map((reason, place) => html`${place > 0 && ', '}<code>${reason}</code>`)}.
  </p>
</section>`

function operationView({ method, path, operation }: Operation): Html {
  const body = operation.requestBody?.content['application/json'].schema
  const response = operation.responses[200]?.content?.['application/json'].schema
  return html`<article id="${operation.operationId}">
    <h3><span class="method ${method}">${method}</span> <code>${path}</code></h3>
    <p class="lines">${operation.description}</p>
    ${parameterTable(operation.parameters ?? [])}
    ${
      body &&
      html`<h4>Body</h4>
        ${schemaView(body)}`
    }
    ${
      response &&
      html`<h4>Response</h4>
        ${schemaView(response)}`
    }
    <details>
      <summary>Errors</summary>
      <table>
        <tbody>
          ${Object.entries(operation.responses)
            .filter(([status]) => status !== '200')
            .map(
              ([status, { description }]) =>
                html`<tr>
                  <td><code>${status}</code></td>
                  <td class="lines">${description}</td>
                </tr>`,
            )}
        </tbody>
      </table>
    </details>
  </article>`
}

function parameterTable(parameters: readonly OpenApiParameter[]): Html | null {
  if (parameters.length === 0) return null
  return html`<h4>Parameters</h4>
    ${table(
      ['Name', 'Type', 'Needed'],
      parameters.map(({ name, in: place, schema, description, required }) => [
        html`<code>${name}</code> <small>${place}</small>`,
        html`${typeView(schema)}${description && html`<p class="note">${description}</p>`}`,
        required ? 'required' : 'optional',
      ]),
    )}`
}

function recordsView({ components }: OpenApiDocument): Html {
  const records = Object.entries(components.schemas).sort(([a], [b]) => a.localeCompare(b))
  return html`<section>
    <h2 id="records">Records</h2>
    ${records.map(
      ([name, schema]) =>
        html`<article id="record-${name}">
          <h3>${name}</h3>
          ${schemaView(schema)}
        </article>`,
    )}
  </section>`
}

function eventsView({ webhooks }: OpenApiDocument): Html {
  return html`<section>
    <h2 id="events">Events</h2>
    <p>
      Deliveries are <code>POST</code> requests with a <a href="#record-Delivery">Delivery</a> as their body. Only a 200
      within 15 seconds counts as taken. <a href="#receiving-events">Receiving events</a> has the rest.
    </p>
    ${table(
      ['Event', 'Emitted when', html`<code>data</code>`],
      Object.entries(webhooks).map(([name, { post }]) => [
        html`<code>${name}</code>${post.deprecated && html` <small>deprecated</small>`}`,
        post.summary,
        dataView(post),
      ]),
    )}
  </section>`
}

function dataView(operation: OpenApiOperation): Html {
  const { allOf } = operation.requestBody?.content['application/json'].schema ?? {}
  const data = allOf?.at(-1)?.properties?.data ?? {}
  const fields = Object.keys(data.properties ?? {})
  return fields.length > 0 ? html`<code>${fields.join(', ')}</code>` : typeView(data)
}

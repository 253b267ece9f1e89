// @ts-check
/**
 * Draws an embedded view inside its frame. The host page sends a token with postMessage; the token stays in memory, goes
 * to the console with every read, and never into a URL. See docs/embedding.md.
 *
 * @typedef {import('../lib/shared/embed-view.ts').EmbedView} View
 * @typedef {{ environment: string, type: string, id: string }} Target
 */

const refusedText = 'This view can’t be shown. Request a new embed code.'
const pollMs = 3_000
const slowestPollMs = 30_000
/** A change that was not announced is read this late at most. */
const fullReadMs = 60_000
const renewBeforeMs = 60_000

const root = document.documentElement
const main = /** @type {HTMLElement} */ (document.querySelector('main'))
const hosts = (root.dataset.hosts ?? '').split(' ').filter(Boolean)

/** The host's origin, from its first message on. @type {string | null} */
let host = null
/** @type {Target | null} */
let target = null
/** @type {string | null} */
let token = null
/** @type {View | null} */
let view = null
/** @type {number | null} */
let position = null
let readInFullAt = 0
let failures = 0
/** @type {number | undefined} */
let pollTimer
/** @type {number | undefined} */
let renewTimer

window.addEventListener('message', (event) => {
  const isHost =
    event.source === window.parent && hosts.includes(event.origin) && event.data?.source === 'carddesk-host'
  if (!isHost || (host !== null && host !== event.origin)) return
  host = event.origin
  if (event.data.kind === 'theme') setTheme(event.data.theme)
  if (event.data.kind === 'show') show(event.data)
  if (event.data.kind === 'no-token' && view === null) drawMessage(refusedText)
})

/** @param {{ token: unknown, environment: unknown, type: unknown, id: unknown, theme: unknown }} message */
function show(message) {
  const next = { environment: String(message.environment), type: String(message.type), id: String(message.id) }
  const isOther = target === null || JSON.stringify(next) !== JSON.stringify(target)
  setTheme(message.theme)
  token = String(message.token)
  target = next
  if (isOther) forget()
  void read({ isFull: true })
}

function forget() {
  view = null
  position = null
  main.replaceChildren()
  main.setAttribute('aria-busy', 'true')
}

/** Reads the object, or only whether it changed, and reads again after a while. @param {{ isFull: boolean }} how */
async function read({ isFull }) {
  window.clearTimeout(pollTimer)
  if (token === null || target === null || host === null) return
  const used = token
  const search = new URLSearchParams(target)
  if (!isFull && position !== null) search.set('after', String(position))
  const response = await fetch(`/api/embed/view?${search}`, {
    headers: { authorization: `Bearer ${used}`, 'x-carddesk-host': host },
    credentials: 'omit',
    cache: 'no-store',
  }).catch(() => null)
  const body = response?.status === 200 ? await response.json().catch(() => null) : null
  // Another token came meanwhile: its own read decides.
  if (used !== token) return
  if (response?.status === 403) return refuse()
  if (body) take(body)
  const hasFailed = body === null && response?.status !== 204
  failures = hasFailed ? failures + 1 : 0
  drawState()
  pollTimer = window.setTimeout(
    () => void read({ isFull: hasFailed || Date.now() - readInFullAt > fullReadMs }),
    Math.min(pollMs * 2 ** failures, slowestPollMs),
  )
}

/** @param {{ view: View, position: number, expiresInMs: number }} body */
function take(body) {
  const isFirst = view === null
  readInFullAt = Date.now()
  position = body.position
  draw(body.view)
  window.clearTimeout(renewTimer)
  const renewInMs = Math.max(body.expiresInMs - renewBeforeMs, body.expiresInMs / 2)
  renewTimer = window.setTimeout(() => tell({ kind: 'token-needed', reason: 'expiring' }), renewInMs)
  if (isFirst) tell({ kind: 'shown' })
}

/** Whatever is wrong with the token, one plain message, and nothing of the view stays. */
function refuse() {
  token = null
  window.clearTimeout(renewTimer)
  forget()
  drawMessage(refusedText)
  tell({ kind: 'token-needed', reason: 'refused' })
}

/** Posts to the host's exact origin. @param {Record<string, unknown>} message */
function tell(message) {
  if (host !== null) window.parent.postMessage({ source: 'carddesk', ...message }, host)
}

/** @param {unknown} theme */
function setTheme(theme) {
  root.dataset.theme = theme === 'light' || theme === 'dark' ? theme : 'system'
}

/**
 * @param {string} tag
 * @param {Record<string, string>} attributes
 * @param {...(Node | string | null)} children
 */
function element(tag, attributes, ...children) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children.filter((child) => child !== null))
  return made
}

/** @param {string} text */
function drawMessage(text) {
  main.removeAttribute('aria-busy')
  main.replaceChildren(element('p', { class: 'message', role: 'status' }, text))
}

/** Draws the view. What is shown already stays as it is, with its focus and selection. @param {View} next */
function draw(next) {
  const isSame =
    view !== null && JSON.stringify({ ...next, updatedAt: '' }) === JSON.stringify({ ...view, updatedAt: '' })
  view = next
  if (isSame) return
  main.removeAttribute('aria-busy')
  document.title = `${next.title} · Carddesk`
  main.replaceChildren(
    element(
      'header',
      {},
      element(
        'p',
        { class: 'kind' },
        next.kind,
        next.environment === 'sandbox' ? element('span', { class: 'sandbox' }, 'Sandbox') : null,
      ),
      element('h1', {}, next.title),
      element('p', { class: 'subtitle' }, next.subtitle),
    ),
    element(
      'section',
      { class: 'status', 'data-tone': next.status.tone, 'aria-label': 'Status' },
      element('p', { class: 'label' }, next.status.label),
      element('p', {}, next.status.help),
    ),
    ...next.notes.map(({ tone, text }) => element('p', { class: 'note', 'data-tone': tone }, text)),
    element(
      'dl',
      { class: 'figures' },
      ...next.figures.map(({ label, amount, currency, tone }) =>
        element(
          'div',
          { 'data-tone': tone },
          element('dt', {}, label),
          element('dd', {}, amount, ' ', element('span', { class: 'currency' }, currency)),
        ),
      ),
    ),
    element(
      'dl',
      { class: 'facts' },
      ...next.facts.map(({ label, value, isCode }) =>
        element('div', {}, element('dt', {}, label), element('dd', isCode ? { class: 'code' } : {}, value)),
      ),
    ),
    ...drawList(next.list),
    element(
      'footer',
      {},
      element('p', { class: 'state', role: 'status' }),
      element('a', { href: next.href, target: '_blank', rel: 'noopener noreferrer' }, 'Open in Carddesk'),
    ),
  )
}

/** @param {View['list']} list */
function drawList(list) {
  if (list === null) return []
  const rows = list.rows.map(({ title, detail, status, amount }) =>
    element(
      'li',
      {},
      element('span', { class: 'title' }, title),
      amount
        ? element(
            'span',
            { class: 'amount' },
            amount.amount,
            ' ',
            element('span', { class: 'currency' }, amount.currency),
          )
        : null,
      element('span', { class: 'detail' }, detail),
      element('span', { class: 'badge', 'data-tone': status.tone }, status.label),
    ),
  )
  return [
    element(
      'section',
      { class: 'list' },
      element('h2', {}, list.title),
      rows.length > 0 ? element('ul', {}, ...rows) : element('p', { class: 'empty' }, list.empty),
    ),
  ]
}

/** How fresh the view is. Written only when it says something else, since it is announced. */
function drawState() {
  if (view === null) {
    if (failures > 0) drawMessage('Carddesk isn’t responding. Trying again.')
    return
  }
  const state = main.querySelector('.state')
  const text = failures > 0 ? `Carddesk isn’t responding. Data from ${view.updatedAt}` : `Live · ${view.updatedAt}`
  if (!state || state.textContent === text) return
  state.textContent = text
  state.classList.toggle('late', failures > 0)
}

/** The host's origin, as far as the browser says it before the first message; otherwise all that may be it. */
function possibleHosts() {
  const named = location.ancestorOrigins?.[0] ?? (document.referrer && new URL(document.referrer).origin)
  return named && hosts.includes(named) ? [named] : hosts
}

if (window.parent === window) drawMessage(refusedText)
else for (const origin of possibleHosts()) window.parent.postMessage({ source: 'carddesk', kind: 'ready' }, origin)

new ResizeObserver(() => {
  tell({ kind: 'size', height: Math.ceil(main.getBoundingClientRect().height) })
}).observe(main)

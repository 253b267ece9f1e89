// @ts-check
/**
 * Draws an embedded view inside its frame. The host page sends a token with postMessage; the token stays in memory, goes
 * to the console with every read, and never into a URL. See docs/embedding.md.
 *
 * @typedef {import('../lib/api/embed-view.ts').EmbedView} View
 * @typedef {import('../components/messages/en.ts').Messages['frame']} Texts
 * @typedef {import('../lib/api/embed-view.ts').EmbedTarget} Opened an object within the frame
 * @typedef {NonNullable<View['requests']>['offers'][number]} Offer what can be requested
 * @typedef {{ environment: string, type: string, id: string, generation: number }} Target
 */

/** Between two reads where the response of the first came at once. */
const pollMs = 3_000
/** Changes are read as they come, but no more of them in a minute than this; then a read follows after `pollMs`. */
const mostReadAtOnce = 60
const slowestPollMs = 10_000
/** A view that nobody sees is read this often. */
const hiddenPollMs = 60_000
/** A copy is read again this soon: some requests may succeed while others don't. */
const storedReadMs = 10_000
/** A change that was not announced is read this late at most. */
const fullReadMs = 60_000
const renewBeforeMs = 60_000

const root = document.documentElement
const main = /** @type {HTMLElement} */ (document.querySelector('main'))
const news = /** @type {HTMLElement} */ (document.querySelector('#news'))
const hosts = (root.dataset.hosts ?? '').split(' ').filter(Boolean)
/** In the language of the page. @type {Texts} */
const texts = JSON.parse(document.querySelector('#texts')?.textContent ?? '')

/** A text with its values in place of the words in braces. @param {keyof Texts} key @param {Record<string, string>} values */
function say(key, values) {
  return texts[key].replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? '')
}

/** The host's origin, from its first message on. @type {string | null} */
let host = null
/** @type {Target | null} */
let target = null
/** @type {string | null} */
let token = null
/** Why the last token opened nothing. */
let refusal = texts.refused
/** What was opened within the frame, each with the title of the view before it. @type {{ target: Opened, from: string }[]} */
let opened = []
/** @type {View | null} */
let view = null
/** @type {number | null} */
let position = null
let pulse = ''
let readInFullAt = 0
/** Whether a person went to another object: the focus follows. */
let hasMoved = false
/** The open form of a request: it stays as it is while the view is drawn again. @type {HTMLElement | null} */
let form = null
let failures = 0
/** Whether the people who hear the view know that it may be out of date. */
let wasLate = false
/** The read that waits for a change. @type {AbortController | null} */
let waiting = null
/** Whether reads may wait for a change: a view that nobody sees leaves the browser's connections to others. */
let mayWait = false
let isOnScreen = true
/** When changes of the last minute were read. @type {number[]} */
let newsTimes = []
/** @type {number | undefined} */
let pollTimer
/** @type {number | undefined} */
let renewTimer

window.addEventListener('message', (event) => {
  const isHost =
    event.source === window.parent && hosts.includes(event.origin) && event.data?.source === 'carddesk-host'
  if (!isHost || (host !== null && host !== event.origin)) return
  host = event.origin
  if (event.data.kind === 'look') setLook(event.data)
  if (event.data.kind === 'show') show(event.data)
  if (event.data.kind === 'forget') forgetTarget()
  if (event.data.kind === 'no-token' && view === null) {
    const { code, wasRefused } = event.data
    if (code === 'CUSTOMER_NOT_FOUND' || code === 'CUSTOMER_AMBIGUOUS') drawMessage(texts[code])
    else drawMessage(wasRefused ? refusal : texts.noToken)
  }
})
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void read({ isFull: false })
})

/** @param {{ token: unknown, environment: unknown, type: unknown, id: unknown, generation: unknown }} message */
function show(message) {
  const { environment, type, id, generation } = message
  const next = { environment: String(environment), type: String(type), id: String(id), generation: Number(generation) }
  const isOther = target === null || JSON.stringify(next) !== JSON.stringify(target)
  token = String(message.token)
  target = next
  if (isOther) {
    opened = []
    forget()
  }
  void read({ isFull: true })
}

/** The host's page is about another object now. */
function forgetTarget() {
  token = null
  target = null
  opened = []
  window.clearTimeout(pollTimer)
  window.clearTimeout(renewTimer)
  forget()
}

/** @param {Opened} next */
function open(next) {
  opened.push({ target: next, from: view?.title ?? '' })
  showOther()
}

function goBack() {
  opened.pop()
  showOther()
}

function showOther() {
  hasMoved = true
  forget()
  void read({ isFull: true })
}

function forget() {
  view = null
  form = null
  position = null
  news.textContent = ''
  main.replaceChildren()
  main.setAttribute('aria-busy', 'true')
}

/** Reads the object, or only whether it changed, and reads again after a while. @param {{ isFull: boolean }} how */
async function read({ isFull }) {
  window.clearTimeout(pollTimer)
  waiting?.abort()
  if (token === null || target === null || host === null) return
  const used = token
  const from = opened.at(-1)
  const search = addressOf(target)
  search.set('lang', root.lang)
  search.set('time-zone', root.dataset.timeZone ?? '')
  const isPoll = !isFull && position !== null
  if (isPoll) {
    search.set('after', String(position))
    search.set('pulse', pulse)
  }
  const ended = new AbortController()
  if (isPoll) waiting = ended
  const startedAt = performance.now()
  const isWaiting = isPoll && mayWait && isOnScreen && !document.hidden
  if (isWaiting) search.set('wait', '1')
  const response = await fetch(`/api/embed/view?${search}`, {
    headers: { authorization: `Bearer ${used}`, 'x-carddesk-host': host },
    credentials: 'omit',
    cache: 'no-store',
    signal: ended.signal,
  }).catch(() => null)
  const body = response?.status === 200 ? await response.json().catch(() => null) : null
  // Another read took the place of this wait, another token came, or another object was opened: its own read decides.
  if (ended.signal.aborted || used !== token || from !== opened.at(-1)) return
  if (waiting === ended) waiting = null
  const status = response?.status ?? 0
  if (status === 403) return refuse()
  const hasFailed = body === null && status !== 204
  const hadFailed = failures > 0
  failures = hasFailed ? failures + 1 : 0
  const wasShown = view !== null
  if (body) take(body)
  if (hasFailed) fail(status)
  else if (hadFailed && wasShown) tell({ kind: 'shown' })
  drawState(status)
  const fullMs = view?.isStored ? storedReadMs : fullReadMs
  const waitedMs = isWaiting ? performance.now() - startedAt : 0
  window.clearTimeout(pollTimer)
  pollTimer = window.setTimeout(
    () => void read({ isFull: hasFailed || Date.now() - readInFullAt > fullMs }),
    document.hidden ? hiddenPollMs : pauseAfter({ hasFailed, isNews: body !== null, waitedMs }),
  )
}

/** How long to wait before the next read. @param {{ hasFailed: boolean, isNews: boolean, waitedMs: number }} last */
function pauseAfter({ hasFailed, isNews, waitedMs }) {
  const now = performance.now()
  if (isNews) newsTimes = [...newsTimes.filter((at) => now - at < 60_000), now]
  // It waited until there was something new, or until the console had nothing new to say.
  if (!hasFailed && (isNews ? newsTimes.length <= mostReadAtOnce : waitedMs > 1_000)) return 0
  // Views that were opened together don't stay together.
  return Math.min(pollMs * 2 ** failures, slowestPollMs) * (0.9 + Math.random() / 5)
}

/** What the frame is about: the host's object, or one that was opened in it. @param {Target} named */
function addressOf(named) {
  const { type, id, cardAccountId } = opened.at(-1)?.target ?? { ...named, cardAccountId: null }
  const search = new URLSearchParams({ environment: named.environment, type })
  if (id !== '') search.set('id', id)
  if (cardAccountId !== null) search.set('cardAccountId', cardAccountId)
  return search
}

/** Sends a request of the agent. Null once it is made; otherwise what went wrong. @param {{ reason?: string | null }} asked */
async function send(asked) {
  if (token === null || target === null || host === null) return texts.requestFailed
  const response = await fetch(`/api/embed/requests?${addressOf(target)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'x-carddesk-host': host, 'content-type': 'application/json' },
    body: JSON.stringify(asked),
    credentials: 'omit',
  }).catch(() => null)
  if (response?.ok) return null
  const { code } = (await response?.json().catch(() => null)) ?? {}
  if (code === 'INVALID_PARAMETERS' && asked.reason === undefined) return texts.noteRefused
  return texts[/** @type {keyof Texts} */ (code)] ?? texts.requestFailed
}

/** A response that shows nothing new. A record that is gone is not shown any longer. @param {number} status */
function fail(status) {
  if (status === 404) {
    view = null
    position = null
  }
  if (failures === 1 || status === 404) tell({ kind: 'error', reason: status === 404 ? 'not-found' : 'unreachable' })
}

/** @param {number} status */
function failureText(status) {
  if (status === 404) return texts.notFound
  if (status === 429) return texts.limited
  return status === 502 || status === 503 ? texts.service : texts.unreachable
}

/** @param {{ view: View, position: number, pulse: string, expiresInMs: number }} body */
function take(body) {
  const isFirst = view === null
  readInFullAt = Date.now()
  position = body.position
  pulse = body.pulse
  draw(body.view)
  window.clearTimeout(renewTimer)
  const renewInMs = Math.max(body.expiresInMs - renewBeforeMs, body.expiresInMs / 2)
  renewTimer = window.setTimeout(() => tell({ kind: 'token-needed', reason: 'expiring' }), renewInMs)
  if (isFirst) tell({ kind: 'shown' })
  tell({ kind: 'title', title: body.view.name })
}

/** Whatever else is wrong with the token than its age, one plain message, and nothing of the view stays but the form that the agent began. */
function refuse() {
  refusal = hasExpired(token ?? '') ? texts.expired : texts.refused
  token = null
  const begun = opened.length === 0 ? form : null
  opened = []
  window.clearTimeout(renewTimer)
  forget()
  form = begun
  drawMessage(refusal)
  tell({ kind: 'token-needed', reason: 'refused' })
}

/** By the token's own claim; a text that is no token has none. @param {string} jwt */
function hasExpired(jwt) {
  const [, payload = ''] = jwt.replaceAll('-', '+').replaceAll('_', '/').split('.')
  try {
    return JSON.parse(atob(payload)).exp * 1000 <= Date.now()
  } catch {
    return false
  }
}

/** Posts to the host's exact origin. @param {Record<string, unknown>} message */
function tell(message) {
  if (host !== null) window.parent.postMessage({ source: 'carddesk', ...message }, host)
}

/** @param {{ theme: unknown, hasLink: unknown, mayWait: unknown }} look */
function setLook({ theme, hasLink, mayWait: may }) {
  mayWait = may === true
  root.dataset.theme = theme === 'light' || theme === 'dark' ? theme : 'system'
  root.dataset.link = hasLink === false ? 'off' : 'on'
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
  main.replaceChildren(...drawBack(), element('p', { class: 'message', role: 'status' }, text))
}

function drawBack() {
  const from = opened.at(-1)
  if (!from) return []
  const label = say('back', { title: from.from })
  const button = element('button', { class: 'back', type: 'button', 'aria-label': label }, from.from)
  button.addEventListener('click', goBack)
  return [button]
}

/** Copies an id. What is masked can't be copied. @param {string} label @param {string} value */
function drawCopy(label, value) {
  if (value.includes('•')) return null
  const name = say('copyLabel', { label })
  const button = element('button', { class: 'copy', type: 'button', 'aria-label': name }, texts.copy)
  button.addEventListener('click', async () => {
    const isCopied = await navigator.clipboard.writeText(value).then(
      () => true,
      () => false,
    )
    button.textContent = isCopied ? texts.copied : texts.notCopied
    announce(say(isCopied ? 'copiedLabel' : 'copyRefused', { label }))
    window.setTimeout(() => (button.textContent = texts.copy), 2_000)
  })
  return button
}

/** A text that opens another object within the frame, where there is one. @param {string} text @param {Opened | undefined} next */
function drawWay(text, next) {
  if (!next) return text
  const button = element('button', { class: 'way', type: 'button' }, text)
  button.addEventListener('click', () => open(next))
  return button
}

/** What a change of is drawn. @param {View} shown */
function lasting(shown) {
  return JSON.stringify({ ...shown, updatedAt: '', ageMs: 0 })
}

/** Has screen readers say a change, and nothing that only repeats. @param {string} text */
function announce(text) {
  news.textContent = text
}

/** Draws the view. What is shown already stays as it is, with its focus and selection. @param {View} next */
function draw(next) {
  const before = view
  view = next
  if (before !== null && lasting(before) === lasting(next)) return
  if (before !== null && before.status.label !== next.status.label) {
    announce(say('changed', { title: next.title, status: next.status.label }))
  }
  const [latest, last] = [next.requests?.rows[0], before?.requests?.rows[0]]
  if (before !== null && latest && latest.status.label !== last?.status.label) {
    announce(say('changed', { title: latest.title, status: latest.status.label }))
  }
  redraw(next)
}

/** What people read on a control, or hear of it. @param {Element} control */
function nameOf(control) {
  return control.getAttribute('aria-label') ?? control.textContent
}

/** What can have the focus under the same name: a way to an object may be there twice. @param {Element} control */
function controlsLike(control) {
  return [...main.querySelectorAll('h1, button, a')].filter((other) => nameOf(other) === nameOf(control))
}

/** @param {View} next */
function redraw(next) {
  const focused = main.contains(document.activeElement) ? document.activeElement : null
  const place = focused ? controlsLike(focused).indexOf(focused) : -1
  main.removeAttribute('aria-busy')
  document.title = `${next.title} · Carddesk`
  const parts = [
    ...drawBack(),
    element(
      'header',
      {},
      element(
        'p',
        { class: 'kind' },
        next.kind,
        next.environment === 'sandbox' ? element('span', { class: 'sandbox' }, texts.sandbox) : null,
      ),
      element('h1', { tabindex: '-1' }, next.title),
      element('p', { class: 'subtitle' }, next.subtitle),
    ),
    element(
      'section',
      { class: 'status', 'data-tone': next.status.tone, 'aria-label': texts.status },
      element('p', { class: 'label' }, next.status.label),
      element('p', {}, next.status.help),
    ),
    ...next.notes.map(({ tone, text }) => element('p', { class: 'note', 'data-tone': tone }, text)),
    next.figures.length === 0
      ? null
      : element(
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
    next.facts.length === 0
      ? null
      : element(
          'dl',
          { class: 'facts' },
          ...next.facts.map(({ label, value, isCode, open: way }) =>
            element(
              'div',
              {},
              element('dt', {}, label),
              element(
                'dd',
                isCode ? { class: 'code' } : {},
                drawWay(value, way),
                isCode ? drawCopy(label, value) : null,
              ),
            ),
          ),
        ),
    next.requests ? drawRequests(next.requests) : null,
    ...next.lists.map(drawList),
    element(
      'footer',
      {},
      element('p', { class: 'state' }),
      next.href === null
        ? null
        : element('a', { href: next.href, target: '_blank', rel: 'noopener noreferrer' }, texts.open),
    ),
  ]
  main.replaceChildren(...parts.filter((part) => part !== null))
  // The form left the document for a moment, and other controls are drawn anew. The focus is taken from no field of the host's page.
  const again = focused && !focused.isConnected ? controlsLike(focused)[place] : focused
  if (document.hasFocus()) {
    if (hasMoved) main.querySelector('h1')?.focus()
    else if (again instanceof HTMLElement) again.focus({ preventScroll: true })
  }
  hasMoved = false
}

/** What was requested, and what can be. @param {NonNullable<View['requests']>} requests */
function drawRequests({ offers, rows }) {
  const buttons = offers.map((offer) => {
    const button = element('button', { class: 'ask', type: 'button' }, offer.label)
    button.addEventListener('click', () => {
      form = drawForm(offer)
      button.parentElement?.replaceWith(form)
      const entry = form.querySelector('select, textarea')
      if (entry instanceof HTMLElement) entry.focus()
    })
    return button
  })
  return element(
    'section',
    { class: 'list', 'aria-label': texts.requests },
    element('h2', {}, texts.requests),
    rows.length > 0 ? drawRows(rows) : null,
    form ?? (buttons.length > 0 ? element('div', { class: 'asks' }, ...buttons) : null),
  )
}

/** Its id is the request's: however often it is sent, it is one. @param {Offer} offer */
function drawForm({ kind, label, question, help, submit, reasons }) {
  const requestId = crypto.randomUUID()
  const choice = /** @type {HTMLSelectElement} */ (
    element('select', {}, ...reasons.map(({ value, label }) => element('option', { value }, label)))
  )
  const note = /** @type {HTMLTextAreaElement} */ (element('textarea', { rows: '2', maxlength: '400' }))
  const problem = element('p', { class: 'problem', role: 'alert' })
  const sending = element('button', { class: 'send', type: 'button' }, submit)
  const leaving = element('button', { class: 'ask', type: 'button' }, texts.notNow)
  // The host's frame allows no submission of forms.
  const asks = element('div', { class: 'asks' }, sending, leaving)
  const made = element(
    'fieldset',
    {},
    element('legend', {}, question),
    element('p', { class: 'help' }, help),
    reasons.length > 0 ? element('label', {}, texts.reason, choice) : null,
    element('label', {}, texts.note, note),
    problem,
    asks,
  )
  /** The focus goes to the button that opened the form, or, where it is gone, to the title. */
  const close = () => {
    if (form !== made) return
    const hadFocus = made.contains(document.activeElement)
    form = null
    if (view === null) return
    redraw(view)
    drawState(200)
    const buttons = [...main.querySelectorAll('button.ask')]
    const next = buttons.find((button) => button.textContent === label) ?? main.querySelector('h1')
    if (hadFocus && next instanceof HTMLElement) next.focus()
  }
  leaving.addEventListener('click', close)
  sending.addEventListener('click', async () => {
    if (made.ariaBusy) return
    made.ariaBusy = 'true'
    problem.textContent = ''
    const wrong = await send({
      requestId,
      kind,
      ...(reasons.length > 0 && { reason: choice.value || null }),
      note: note.value,
    })
    problem.textContent = wrong
    if (form !== made || wrong !== null) {
      made.ariaBusy = null
      return
    }
    // It is not offered again until the view shows it.
    const sent = element('p', { class: 'help', tabindex: '-1' }, texts.requestSent)
    const hadFocus = asks.contains(document.activeElement)
    asks.replaceChildren(sent)
    if (hadFocus) sent.focus()
    announce(texts.requestSent)
    await read({ isFull: true })
    close()
  })
  return made
}

/** @param {View['lists'][number]} list */
function drawList(list) {
  return element(
    'section',
    { class: 'list' },
    element('h2', {}, list.title),
    list.rows.length > 0 ? drawRows(list.rows) : element('p', { class: 'empty' }, list.empty),
  )
}

/** @param {View['lists'][number]['rows']} all */
function drawRows(all) {
  const rows = all.map(({ title, detail, status, amount, open: way }) =>
    element(
      'li',
      {},
      element('span', { class: 'title' }, drawWay(title, way)),
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
  return element('ul', {}, ...rows)
}

/** How fresh the view is. Its changes are announced, and not its times. @param {number} status */
function drawState(status) {
  if (view === null) {
    if (failures > 0) drawMessage(failureText(status))
    return
  }
  const state = main.querySelector('.state')
  if (!state) return
  const ageMs = view.ageMs + Date.now() - readInFullAt
  const isLate = failures > 0 || view.isStored
  const key = failures > 0 ? 'dataFrom' : view.isStored ? 'copyFrom' : 'live'
  state.textContent = say(key, { time: view.updatedAt, age: ago(ageMs) })
  if (isLate !== wasLate) announce(isLate ? texts.outOfDate : texts.upToDate)
  wasLate = isLate
  state.classList.toggle('late', isLate)
}

const relativeTime = new Intl.RelativeTimeFormat(root.lang, { style: 'short' })

/** "12 min. ago". @param {number} ageMs */
function ago(ageMs) {
  const minutes = Math.floor(ageMs / 60_000)
  if (minutes < 1) return texts.underAMinute
  if (minutes < 120) return relativeTime.format(-minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? relativeTime.format(-hours, 'hour') : relativeTime.format(-Math.floor(hours / 24), 'day')
}

/** The host's origin, as far as the browser says it before the first message; otherwise all that may be it. */
function possibleHosts() {
  const named = location.ancestorOrigins?.[0] ?? (document.referrer && new URL(document.referrer).origin)
  return named && hosts.includes(named) ? [named] : hosts
}

if (window.parent === window) drawMessage(texts.helpDesksOnly)
else for (const origin of possibleHosts()) window.parent.postMessage({ source: 'carddesk', kind: 'ready' }, origin)

new IntersectionObserver((entries) => {
  isOnScreen = entries.at(-1)?.isIntersecting ?? true
}).observe(main)

new ResizeObserver(() => {
  tell({ kind: 'size', height: Math.ceil(main.getBoundingClientRect().height) })
}).observe(main)

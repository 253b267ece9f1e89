// @ts-check
/**
 * Carddesk's embedded views: `<carddesk-view environment="sandbox" type="card" id="…" theme="system">`.
 *
 * `type` is `customer`, `card-account`, `card`, `transaction` or `payout`; `theme` is `light`, `dark` or `system`; `lang` is `en` or
 * `zh-Hant`; `time-zone` is an IANA name. A customer or a card account may be named by `xid`, `email` or `phone` instead of `id`:
 * these go to the token provider alone. The view needs a token: set `tokenProvider`, or set `token` when the event
 * `carddesk-token-needed` says so. A token is renewed a minute before it expires, in the same frame. A provider that gives none is
 * called again after a while. The event `carddesk-error` says that nothing, or nothing new, can be shown. See docs/embedding.md.
 *
 * @typedef {'not-found' | 'refused' | 'unreachable' | 'not-allowed'} Failure
 * @typedef {'expiring' | 'refused' | 'missing'} Reason why a token is needed
 * @typedef {{ environment: string, type: string, id?: string, xid?: string, email?: string, phone?: string, reason: Reason }} TokenRequest
 * @typedef {string | null | undefined | Response | { token?: string, code?: string, message?: string }} Provided a token, or what the token endpoint responds
 * @typedef {(request: TokenRequest) => Provided | Promise<Provided>} TokenProvider
 */
;(() => {
  const script = /** @type {HTMLScriptElement | null} */ (document.currentScript)
  // A module, and a host that serves a copy of this file, name the origin.
  const consoleOrigin = Reflect.get(globalThis, 'carddeskOrigin') ?? new URL(script?.src ?? '').origin
  const answerMs = 10_000
  const longestWaitMs = 60_000
  const unnamedMs = 2000
  const lookUps = ['xid', 'email', 'phone']
  /** A browser has six connections to an origin over HTTP/1.1: views that wait for changes leave two of them to everything else. */
  const mostWaiting = 4
  /** For where the frame, which has its own texts, can't be loaded. */
  const texts = {
    'en-HK': {
      notAllowed: 'Carddesk doesn’t allow this page to show it. Ask your Carddesk administrator.',
      unreachable: 'Carddesk isn’t responding. Trying again.',
    },
    'zh-Hant-HK': {
      notAllowed: 'Carddesk 不允許此頁面顯示內容。請聯絡 Carddesk 管理員。',
      unreachable: 'Carddesk 沒有回應，正在重試。',
    },
  }

  class CarddeskView extends HTMLElement {
    /** Those of the page, the oldest first. @type {Set<CarddeskView>} */
    static #shown = new Set()

    static observedAttributes = [
      'environment',
      'type',
      'id',
      ...lookUps,
      'theme',
      'lang',
      'time-zone',
      'no-link',
      'token',
    ]

    /** Returns a token for the view, or a promise of one. @type {TokenProvider | null} */
    #provider = null
    /** @type {string | null} */
    #token = null
    /** Whether the token came as an attribute, and others of the element may still be set. */
    #isWritten = false
    /** @type {HTMLIFrameElement | null} */
    #frame = null
    #isReady = false
    #isUpdating = false
    /** Whether the frame, while it loads, is of another language or time zone than the attributes. */
    #isOutdated = false
    /** Tokens in a row that the view refused. */
    #refused = 0
    /** Times in a row that the provider gave no token. */
    #failed = 0
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #retryTimer
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #answerTimer
    #unanswered = 0
    /** What the host was told last, until something is shown again. @type {Failure | null} */
    #failure = null
    /** What its developer was told last. */
    #explained = ''
    #message = document.createElement('p')
    /** Counts what is shown, so that a token that comes late is not used for another object. */
    #generation = 0

    get tokenProvider() {
      return this.#provider
    }

    set tokenProvider(provider) {
      this.#provider = provider
      if (this.#isReady && this.#token === null) void this.#requestToken('missing')
    }

    get token() {
      return this.#token
    }

    set token(token) {
      clearTimeout(this.#retryTimer)
      this.#token = token
      this.#send()
    }

    connectedCallback() {
      // What was set before this script ran hides the element's own property.
      for (const name of /** @type {const} */ (['tokenProvider', 'token'])) {
        if (!Object.hasOwn(this, name)) continue
        const value = Reflect.get(this, name)
        Reflect.deleteProperty(this, name)
        Reflect.set(this, name, value)
      }
      const frame = document.createElement('iframe')
      frame.src = this.#frameUrl()
      frame.title = 'Carddesk'
      frame.allow = 'clipboard-write'
      frame.referrerPolicy = 'origin'
      frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox')
      Object.assign(frame.style, {
        display: 'block',
        width: '100%',
        height: '160px',
        border: '0',
        colorScheme: 'normal',
      })
      this.style.display ||= 'block'
      this.#isOutdated = false
      this.#frame = frame
      CarddeskView.#shown.add(this)
      window.addEventListener('message', this.#receive)
      this.#message.hidden = true
      this.#message.setAttribute('role', 'status')
      Object.assign(this.#message.style, {
        margin: '16px',
        font: '13px/20px system-ui, sans-serif',
        textAlign: 'center',
      })
      const shadow = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
      shadow.replaceChildren(frame, this.#message)
      this.#awaitAnswer()
    }

    /** A frame that the browser blocks, and a Carddesk that is down, say nothing. */
    #awaitAnswer() {
      clearTimeout(this.#answerTimer)
      this.#answerTimer = setTimeout(() => void this.#giveUp(), answerMs)
    }

    async #giveUp() {
      const isThere = await fetch(`${consoleOrigin}/embed.js`, { mode: 'no-cors', cache: 'no-store' }).then(
        () => true,
        () => false,
      )
      const frame = this.#frame
      if (!frame || this.#isReady) return
      this.#explain(
        `the view at ${consoleOrigin} gave no answer. ` +
          `Carddesk is down, or its setting EMBED_ALLOWED_ORIGINS lacks ${location.origin} or a page around it.`,
      )
      const lang = /^zh[-_](?:hant|hk|mo|tw)/i.test(this.lang) ? 'zh-Hant-HK' : 'en-HK'
      this.#message.lang = lang
      this.#message.textContent = isThere ? texts[lang].notAllowed : texts[lang].unreachable
      this.#message.hidden = false
      frame.style.display = 'none'
      this.#fail(isThere ? 'not-allowed' : 'unreachable')
      this.#unanswered += 1
      const waitMs = Math.min(answerMs * 2 ** this.#unanswered, longestWaitMs)
      this.#answerTimer = setTimeout(() => this.#load(frame), waitMs)
    }

    /** @param {HTMLIFrameElement} frame */
    #load(frame) {
      this.#isReady = false
      this.#isOutdated = false
      frame.src = this.#frameUrl()
      this.#awaitAnswer()
    }

    /** The frame's texts are in its page, so its URL names the language. */
    #frameUrl() {
      const url = new URL('/embed', consoleOrigin)
      const timeZone = this.getAttribute('time-zone')
      if (this.lang) url.searchParams.set('lang', this.lang)
      if (timeZone && isTimeZone(timeZone)) url.searchParams.set('time-zone', timeZone)
      return url.href
    }

    /** Tells the host page once. `code` is the token endpoint's. @param {Failure} reason @param {string} [code] */
    #fail(reason, code) {
      if (this.#failure === reason) return
      this.#failure = reason
      const detail = code ? { reason, code } : { reason }
      this.dispatchEvent(new CustomEvent('carddesk-error', { detail, bubbles: true, composed: true }))
    }

    /** Tells the host's developer once what nobody else can change. @param {string} text @param {unknown[]} details */
    #explain(text, ...details) {
      if (this.#explained === text) return
      this.#explained = text
      // oxlint-disable-next-line no-console
      console.error(`Carddesk: ${text}`, ...details)
    }

    disconnectedCallback() {
      window.removeEventListener('message', this.#receive)
      clearTimeout(this.#retryTimer)
      clearTimeout(this.#answerTimer)
      this.#frame = null
      this.#isReady = false
      CarddeskView.#shown.delete(this)
      // The next one may wait for changes now.
      const next = [...CarddeskView.#shown][mostWaiting - 1]
      if (next) next.#sendLook()
    }

    /** @param {string} name @param {string | null} before @param {string | null} value */
    attributeChangedCallback(name, before, value) {
      if (before === value) return
      if (name === 'theme' || name === 'no-link') return this.#sendLook()
      if (name === 'lang' || name === 'time-zone') {
        // A browser may drop a navigation that begins while the one before ends.
        if (this.#isReady && this.#frame) this.#load(this.#frame)
        else this.#isOutdated = true
        return
      }
      if (name === 'token') {
        // The attribute is for written-out pages. The token does not stay in the document.
        if (value === null) return
        this.removeAttribute('token')
        this.#token = value
        this.#isWritten = true
        queueMicrotask(() => {
          this.#isWritten = false
          this.token = this.#token
        })
        return
      }
      // Another object needs another token, once all its attributes are set. They may be in any order.
      this.#generation += 1
      if (!this.#isWritten) this.#token = null
      this.#failure = null
      if (!this.#isReady || this.#isUpdating) return
      this.#isUpdating = true
      queueMicrotask(() => {
        this.#isUpdating = false
        // Nothing of the object before may stay beside another one's ticket.
        if (this.#token === null) this.#post({ kind: 'forget' })
        if (this.#token === null) void this.#requestToken('missing')
      })
    }

    /** @param {MessageEvent} event */
    #receive = (event) => {
      const isFrame = event.origin === consoleOrigin && event.source === this.#frame?.contentWindow
      if (!isFrame || event.data?.source !== 'carddesk') return
      const { kind, height, reason, title } = event.data
      if (kind === 'ready' && this.#isOutdated && this.#frame) return this.#load(this.#frame)
      if (kind === 'ready') {
        this.#isReady = true
        this.#unanswered = 0
        clearTimeout(this.#answerTimer)
        this.#message.hidden = true
        if (this.#frame) this.#frame.style.display = 'block'
        this.#sendLook()
        if (this.#token === null) void this.#requestToken('missing')
        else this.#send()
      }
      if (kind === 'size' && this.#frame && Number.isFinite(height)) this.#frame.style.height = `${height}px`
      if (kind === 'shown') {
        this.#refused = 0
        this.#failure = null
        this.dispatchEvent(new CustomEvent('carddesk-shown', { bubbles: true, composed: true }))
      }
      if (kind === 'title' && this.#frame) this.#frame.title = `Carddesk: ${String(title).slice(0, 200)}`
      if (kind === 'error') this.#fail(reason === 'not-found' ? reason : 'unreachable')
      if (kind === 'token-needed') void this.#requestToken(reason === 'expiring' ? 'expiring' : 'refused')
    }

    /** @param {Reason} reason */
    async #requestToken(reason) {
      const generation = this.#generation
      clearTimeout(this.#retryTimer)
      if (reason === 'refused') {
        this.#token = null
        this.#refused += 1
        if (this.#refused > 1) {
          this.#explain(
            `the view refuses its tokens. Each has to be for ${location.origin} and for what the element names.`,
          )
          this.#fail('refused')
        }
        // The first time without a pause; a provider whose tokens are all refused has to wait.
        const waitMs = this.#refused > 1 ? Math.min(1000 * 2 ** this.#refused, longestWaitMs) : 0
        await new Promise((resolve) => setTimeout(resolve, waitMs))
      }
      const { environment, type, id, lookUp } = this.#target()
      const named = { ...(id !== '' && { id }), ...lookUp }
      if (environment === '' || type === '' || Object.keys(named).length === 0) {
        // A framework may set the attributes one by one; a ticket may have nothing that they could hold.
        const isWhole = environment !== '' && type !== ''
        if (reason === 'missing') this.#retryTimer = setTimeout(() => this.#sayNothingNamed(isWhole), unnamedMs)
        return
      }
      const detail = { environment, type, ...named, reason }
      const provided = this.#provider
        ? await Promise.resolve(detail)
            .then(this.#provider)
            .then((given) =>
              given instanceof Response ? given.json().catch(() => ({ code: `HTTP ${given.status}` })) : given,
            )
            .catch((error) => void this.#explain('the token provider failed.', error))
        : null
      const token = typeof provided === 'string' ? provided : provided?.token
      if (generation !== this.#generation || !this.isConnected) return
      if (token) {
        this.#failed = 0
        this.token = token
        return
      }
      const { code, message } = typeof provided === 'object' && provided ? provided : {}
      // Another request would find the same.
      if (code === 'CUSTOMER_NOT_FOUND' || code === 'CUSTOMER_AMBIGUOUS') {
        this.#post({ kind: 'no-token', code })
        return this.#fail('not-found', code)
      }
      if (code) this.#explain(`the token endpoint responds ${[code, message].filter(Boolean).join(': ')}`)
      else if (provided) this.#explain('the token provider gave no token.')
      this.dispatchEvent(new CustomEvent('carddesk-token-needed', { detail, bubbles: true, composed: true }))
      // The host may have set a token in its listener.
      if (this.#token === null && (reason === 'refused' || this.#provider)) {
        this.#fail(code === 'TOO_MANY_ATTEMPTS' ? 'unreachable' : 'refused', code)
      }
      if (this.#provider) this.#retry(reason)
      // A listener may still be on its way to a token.
      else if (this.#token === null) this.#retryTimer = setTimeout(() => this.#sayNone(reason), answerMs)
    }

    /** @param {boolean} isWhole whether only that is missing which a ticket may lack */
    #sayNothingNamed(isWhole) {
      if (!isWhole) this.#explain('<carddesk-view> needs the attributes environment and type.')
      this.#post({ kind: 'no-token', code: 'CUSTOMER_NOT_FOUND' })
      this.#fail('not-found')
    }

    /** Nobody gave a token. @param {Reason} reason */
    #sayNone(reason) {
      this.#post({ kind: 'no-token', wasRefused: reason === 'refused' })
      this.#fail('refused')
    }

    /** Requests a token from the provider again after a while. A view that shows nothing yet says so. @param {Reason} reason */
    #retry(reason) {
      this.#failed += 1
      this.#post({ kind: 'no-token', wasRefused: reason === 'refused' })
      const waitMs = Math.min(1000 * 2 ** this.#failed, longestWaitMs)
      this.#retryTimer = setTimeout(() => void this.#requestToken(reason === 'expiring' ? reason : 'missing'), waitMs)
    }

    #target() {
      const value = (/** @type {string} */ name) => this.getAttribute(name) ?? ''
      const lookUp = Object.fromEntries(lookUps.map((name) => [name, value(name)]).filter(([, text]) => text !== ''))
      return { environment: value('environment'), type: value('type'), id: value('id'), lookUp }
    }

    #send() {
      if (this.#token !== null) {
        const { lookUp: _, ...target } = this.#target()
        const generation = this.#generation
        this.#post({ kind: 'show', token: this.#token, generation, ...target })
      }
    }

    #sendLook() {
      const mayWait = [...CarddeskView.#shown].indexOf(this) < mostWaiting
      this.#post({ kind: 'look', theme: this.getAttribute('theme'), hasLink: !this.hasAttribute('no-link'), mayWait })
    }

    /** @param {Record<string, unknown>} message */
    #post(message) {
      if (this.#isReady) this.#frame?.contentWindow?.postMessage({ source: 'carddesk-host', ...message }, consoleOrigin)
    }
  }

  /** Says to the host's developer that a time zone is none. @param {string} name */
  function isTimeZone(name) {
    try {
      return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
    } catch {
      // oxlint-disable-next-line no-console
      console.error(
        `Carddesk: time-zone="${name}" is not a time zone of the IANA database, such as Asia/Hong_Kong. ` +
          'The view shows Hong Kong time.',
      )
      return false
    }
  }

  if (!customElements.get('carddesk-view')) customElements.define('carddesk-view', CarddeskView)
})()

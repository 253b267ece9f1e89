// @ts-check
/**
 * Carddesk's embedded views: `<carddesk-view environment="sandbox" type="card" id="…" theme="system">`.
 *
 * `type` is `card-account`, `card`, `transaction` or `payout`; `theme` is `light`, `dark` or `system`. The view needs a
 * token: set `tokenProvider`, or set `token` when the event `carddesk-token-needed` says so. A token is renewed a minute
 * before it expires, in the same frame. A provider that gives none is called again after a while. See docs/embedding.md.
 *
 * @typedef {'expiring' | 'refused' | 'missing'} Reason why a token is needed
 * @typedef {{ environment: string, type: string, id: string, reason: Reason }} TokenRequest
 * @typedef {(request: TokenRequest) => string | null | Promise<string | null>} TokenProvider
 */
;(() => {
  const script = /** @type {HTMLScriptElement} */ (document.currentScript)
  const consoleOrigin = new URL(script.src).origin
  const longestWaitMs = 60_000

  class CarddeskView extends HTMLElement {
    static observedAttributes = ['environment', 'type', 'id', 'theme', 'token']

    /** Returns a token for the view, or a promise of one. @type {TokenProvider | null} */
    #provider = null
    /** @type {string | null} */
    #token = null
    /** @type {HTMLIFrameElement | null} */
    #frame = null
    #isReady = false
    #isUpdating = false
    /** Tokens in a row that the view refused. */
    #refused = 0
    /** Times in a row that the provider gave no token. */
    #failed = 0
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #retryTimer
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
      frame.src = `${consoleOrigin}/embed`
      frame.title = 'Carddesk view'
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
      this.#frame = frame
      window.addEventListener('message', this.#receive)
      const shadow = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
      shadow.replaceChildren(frame)
    }

    disconnectedCallback() {
      window.removeEventListener('message', this.#receive)
      clearTimeout(this.#retryTimer)
      this.#frame = null
      this.#isReady = false
    }

    /** @param {string} name @param {string | null} before @param {string | null} value */
    attributeChangedCallback(name, before, value) {
      if (before === value) return
      if (name === 'theme') return this.#post({ kind: 'theme', theme: value })
      if (name === 'token') {
        // The attribute is for written-out pages. The token does not stay in the document.
        if (value === null) return
        this.removeAttribute('token')
        this.token = value
        return
      }
      // Another object needs another token, once all its attributes are set.
      this.#generation += 1
      this.#token = null
      if (!this.#isReady || this.#isUpdating) return
      this.#isUpdating = true
      queueMicrotask(() => {
        this.#isUpdating = false
        if (this.#token === null) void this.#requestToken('missing')
      })
    }

    /** @param {MessageEvent} event */
    #receive = (event) => {
      const isFrame = event.origin === consoleOrigin && event.source === this.#frame?.contentWindow
      if (!isFrame || event.data?.source !== 'carddesk') return
      const { kind, height, reason } = event.data
      if (kind === 'ready') {
        this.#isReady = true
        if (this.#token === null) void this.#requestToken('missing')
        else this.#send()
      }
      if (kind === 'size' && this.#frame && Number.isFinite(height)) this.#frame.style.height = `${height}px`
      if (kind === 'shown') this.#refused = 0
      if (kind === 'token-needed') void this.#requestToken(reason === 'expiring' ? 'expiring' : 'refused')
    }

    /** @param {Reason} reason */
    async #requestToken(reason) {
      const generation = this.#generation
      clearTimeout(this.#retryTimer)
      if (reason === 'refused') {
        this.#token = null
        this.#refused += 1
        // The first time without a pause; a provider whose tokens are all refused has to wait.
        const waitMs = this.#refused > 1 ? Math.min(1000 * 2 ** this.#refused, longestWaitMs) : 0
        await new Promise((resolve) => setTimeout(resolve, waitMs))
      }
      const target = this.#target()
      if (Object.values(target).includes('')) return
      const detail = { ...target, reason }
      const token = this.#provider
        ? await Promise.resolve(detail)
            .then(this.#provider)
            .catch(() => null)
        : null
      if (generation !== this.#generation || !this.isConnected) return
      if (token) {
        this.#failed = 0
        this.token = token
        return
      }
      this.dispatchEvent(new CustomEvent('carddesk-token-needed', { detail, bubbles: true, composed: true }))
      if (this.#provider) this.#retry(reason)
    }

    /** Requests a token from the provider again after a while. A view that shows nothing yet says so. @param {Reason} reason */
    #retry(reason) {
      this.#failed += 1
      this.#post({ kind: 'no-token' })
      const waitMs = Math.min(1000 * 2 ** this.#failed, longestWaitMs)
      this.#retryTimer = setTimeout(() => void this.#requestToken(reason === 'expiring' ? reason : 'missing'), waitMs)
    }

    #target() {
      const value = (/** @type {string} */ name) => this.getAttribute(name) ?? ''
      return { environment: value('environment'), type: value('type'), id: value('id') }
    }

    #send() {
      if (this.#token !== null) {
        this.#post({ kind: 'show', token: this.#token, theme: this.getAttribute('theme'), ...this.#target() })
      }
    }

    /** @param {Record<string, unknown>} message */
    #post(message) {
      if (this.#isReady) this.#frame?.contentWindow?.postMessage({ source: 'carddesk-host', ...message }, consoleOrigin)
    }
  }

  if (!customElements.get('carddesk-view')) customElements.define('carddesk-view', CarddeskView)
})()

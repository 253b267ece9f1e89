const client = ZAFClient.init()

function say(text) {
  const message = document.getElementById('message')
  message.textContent = text
  message.hidden = false
  void client.invoke('resize', { width: '100%', height: '48px' })
}

/** What the ticket knows its requester by. */
async function findRequester(externalIdField) {
  const field = externalIdField && `ticket.requester.customField:${externalIdField}`
  const found = await client.get(['ticket.requester.email', ...(field ? [field] : [])])
  const xid = field ? found[field] : ''
  return xid ? { xid } : { email: found['ticket.requester.email'] }
}

/** The agent's language and time zone. */
async function findLocale() {
  const { 'currentUser.locale': lang, 'currentUser.timeZone': zone } = await client.get([
    'currentUser.locale',
    'currentUser.timeZone',
  ])
  return { lang, 'time-zone': zone?.ianaName }
}

async function show() {
  const { settings } = await client.metadata()
  const { carddesk_url: carddesk, environment, external_id_field: externalIdField } = settings
  const requester = await findRequester(externalIdField)
  if (!Object.values(requester)[0]) return say('This requester has no e-mail address.')

  const view = document.createElement('carddesk-view')
  const attributes = { environment, type: 'customer', ...requester, ...(await findLocale()) }
  for (const [name, value] of Object.entries(attributes)) if (value) view.setAttribute(name, value)
  // Zendesk puts the key in: it is not in this page.
  view.tokenProvider = (request) =>
    client
      .request({
        url: `${carddesk}/api/embed/tokens`,
        type: 'POST',
        contentType: 'application/json',
        headers: { Authorization: 'Bearer {{setting.carddesk_key}}' },
        data: JSON.stringify({ ...request, origin: location.origin }),
        secure: true,
      })
      .catch((refused) => refused.responseJSON ?? null)
  document.body.append(view)
  new ResizeObserver(() => {
    void client.invoke('resize', { width: '100%', height: `${view.offsetHeight}px` })
  }).observe(view)

  const script = document.createElement('script')
  script.src = `${carddesk}/embed.js`
  script.addEventListener('error', () => say('Carddesk isn’t responding. Open the ticket again in a few minutes.'))
  document.head.append(script)
}

show().catch(() => say('The customer couldn’t be loaded. Open the ticket again.'))

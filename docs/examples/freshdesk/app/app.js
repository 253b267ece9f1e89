function say(text) {
  const message = document.getElementById('message')
  message.textContent = text
  message.hidden = false
}

/** The token, or the code of the refusal. Freshdesk puts the key in: it is not in this page. */
async function createToken(client, request) {
  try {
    const body = JSON.stringify({ ...request, origin: location.origin })
    const { response } = await client.request.invokeTemplate('createToken', { body })
    return JSON.parse(response)
  } catch (refused) {
    return refused.response ? JSON.parse(refused.response) : null
  }
}

async function show() {
  const client = await app.initialized()
  const [{ contact }, { loggedInUser }, { carddesk_host: host, environment }] = await Promise.all([
    client.data.get('contact'),
    client.data.get('loggedInUser'),
    client.iparams.get(),
  ])
  const named = contact.email ? { email: contact.email } : { phone: contact.phone || contact.mobile }
  if (!Object.values(named)[0]) return say('This contact has no e-mail address and no phone number.')

  const view = document.createElement('carddesk-view')
  const lang = loggedInUser.contact.language
  const attributes = { environment, type: 'customer', ...named, ...(lang ? { lang } : {}) }
  for (const [name, value] of Object.entries(attributes)) view.setAttribute(name, value)
  view.tokenProvider = (request) => createToken(client, request)
  document.body.append(view)
  new ResizeObserver(() => {
    void client.instance.resize({ height: `${Math.min(view.offsetHeight, 700)}px` })
  }).observe(view)

  const script = document.createElement('script')
  script.src = `https://${host}/embed.js`
  script.addEventListener('error', () => say('Carddesk isn’t responding. Open the ticket again in a few minutes.'))
  document.head.append(script)
}

show().catch(() => say('The customer couldn’t be loaded. Open the ticket again.'))

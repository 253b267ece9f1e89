import createToken from '@salesforce/apex/CarddeskTokens.createToken'
import lang from '@salesforce/i18n/lang'
import timeZone from '@salesforce/i18n/timeZone'
import embed from '@salesforce/resourceUrl/carddeskEmbed'
import { loadScript } from 'lightning/platformResourceLoader'
import { getFieldValue, getRecord } from 'lightning/uiRecordApi'
import { api, LightningElement, wire } from 'lwc'

const emailField = 'Case.ContactEmail'

/** The customer of a case, found by the contact's e-mail address, which Apex reads from the case itself. */
export default class CarddeskView extends LightningElement {
  @api recordId
  @api carddeskUrl
  @api environment
  message = ''
  shownFor = null

  @wire(getRecord, { recordId: '$recordId', fields: [emailField] })
  async showCustomer({ data }) {
    const email = data && getFieldValue(data, emailField)
    if (!data || email === this.shownFor) return
    this.shownFor = email
    this.message = email ? '' : 'The contact of this case has no e-mail address.'
    const place = this.template.querySelector('.view')
    place.replaceChildren()
    if (!email) return
    try {
      // The file is a static resource, so it cannot know where Carddesk is.
      window.carddeskOrigin = new URL(this.carddeskUrl).origin
      await loadScript(this, embed)
    } catch {
      this.message = 'The customer couldn’t be loaded. Reload the page.'
      return
    }
    const view = document.createElement('carddesk-view')
    const { recordId: caseId, environment } = this
    const attributes = { environment, type: 'customer', email, lang, 'time-zone': timeZone }
    for (const [name, value] of Object.entries(attributes)) view.setAttribute(name, value)
    view.tokenProvider = async () => JSON.parse(await createToken({ caseId, environment, origin: location.origin }))
    place.append(view)
  }
}

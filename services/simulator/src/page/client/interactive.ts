import { html, nothing, type TemplateResult } from 'lit-html'
import { enteredIn, field, openDialog } from './dialog.ts'
import { marked } from './format.ts'
import { type IconName, icon } from './icons.ts'
import { locationDialog } from './location.ts'
import { mediaOf } from './media.ts'
import { list, record, text } from './read.ts'
import { shopDialog, shownProduct } from './shop.ts'
import { call, showNotice, state, update } from './state.ts'
import type { Message, ShownButton, ShownTemplate } from './types.ts'

/** Returns the pressed, entered or granted value, where the message is such an answer. */
export function pressedOf(content: Record<string, unknown>): string {
  const pressed = record(content['button_reply'] ?? content['list_reply'])
  if (content['nfm_reply']) return 'Form completed'
  if (content['call_permission_reply']) return 'Calls allowed'
  return text(pressed['title'])
}

const press = (wamid: string, button?: string) => () => call('/press', { wamid, ...(button && { button }) })
const action = (name: IconName, label: string, run: () => unknown) =>
  html`<button @click=${run}>${icon(name, 18)} ${label}</button>`
const linkTo = (url: string, label: string) =>
  html`<a href=${url} target="_blank" rel="noopener">${icon('link', 18)} ${label}</a>`
const footerOf = (footer: string) => (footer ? html`<p class="footer">${footer}</p>` : nothing)

/** Shows buttons, a list, a form, a request or a link; or a customer's answer to one. */
export function interactiveOf(message: Message): TemplateResult {
  const { content } = message
  const pressed = pressedOf(content)
  if (pressed) return answerOf(content, pressed)
  const header = record(content['header'])
  const kind = text(header['type'])
  return html`
    ${kind === 'text' ? html`<p><strong>${text(header['text'])}</strong></p>` : kind ? mediaOf(kind, record(header[kind])) : nothing}
    <p>${marked(text(record(content['body'])['text']))}</p>
    ${footerOf(text(record(content['footer'])['text']))}`
}

function answerOf(content: Record<string, unknown>, pressed: string): TemplateResult {
  const description = text(record(content['list_reply'])['description'])
  const form = text(record(content['nfm_reply'])['response_json'])
  return html`<p>${pressed}</p>
    ${description ? html`<small>${description}</small>` : nothing}
    ${form ? html`<small class="form">${form}</small>` : nothing}`
}

/** Returns the elements that can be pressed, chosen, filled in or granted. */
export function interactiveButtons(message: Message): TemplateResult[] {
  const { id, content } = message
  const actions = record(content['action'])
  const parameters = record(actions['parameters'])
  const phone = state.phones.find(({ customerId }) => customerId === message.customerId)
  switch (text(content['type'])) {
    case 'button':
      return list(actions['buttons']).map((button) => {
        const reply = record(button['reply'])
        return action('reply', text(reply['title']), press(id, text(reply['id'])))
      })
    case 'list':
      return [action('list', text(actions['button']), () => listDialog(message))]
    case 'cta_url':
      return [linkTo(text(parameters['url']), text(parameters['display_text']))]
    case 'flow':
      return [action('form', text(parameters['flow_cta']), () => flowDialog(id, text(parameters['flow_cta'])))]
    case 'location_request_message':
      return phone ? [action('place', 'Send location', () => locationDialog(phone, message))] : []
    case 'contact_request':
      return [action('person', 'Share contact info', press(id))]
    case 'call_permission_request':
      return [action('call', 'Allow calls', press(id))]
    default:
      return []
  }
}

/** Shows the rows of a list, one of which is chosen and sent. */
function listDialog({ id, content }: Message): void {
  const actions = record(content['action'])
  let chosen = ''
  openDialog({
    title: text(actions['button']),
    action: 'Send',
    body: () =>
      html`${list(actions['sections']).map(
        (section) => html`
        ${text(section['title']) ? html`<h3>${text(section['title'])}</h3>` : nothing}
        ${list(section['rows']).map(
          (row) => html`<label class="choice">
          <input type="radio" name="row" .checked=${chosen === text(row['id'])} @change=${() => {
            chosen = text(row['id'])
            update()
          }} />
          <span><strong>${text(row['title'])}</strong>${text(row['description']) ? html`<small>${text(row['description'])}</small>` : nothing}</span>
        </label>`,
        )}`,
      )}`,
    run: () => (chosen === '' ? 'Choose one.' : call('/press', { wamid: id, row: chosen })),
  })
}

/** A template, filled in: its header may be text, a picture, a film, a document or a place. */
export function templateOf({ header, offer, body, footer, buttons }: ShownTemplate): TemplateResult {
  const product = buttons.map((button) => shownProduct(button.action)).find(Boolean)
  return html`
    ${product ? html`<p>${icon('image', 18)} Product <strong>${product}</strong></p>` : nothing}
    ${header?.text ? html`<p><strong>${header.text}</strong></p>` : nothing}
    ${header?.media ? aboveOf(header.format.toLowerCase(), record(header.media)) : nothing}
    ${offer ? html`<p>${icon('clock', 18)} <strong>${offer.text}</strong>${offer.endsAt ? html`<br />Ends ${new Date(offer.endsAt).toLocaleString()}` : nothing}</p>` : nothing}
    <p>${marked(body)}</p>
    ${footerOf(footer ?? '')}`
}

/** The cards of a carousel, which move sideways below the message. */
export const cardsOf = (message: Message, cards: NonNullable<ShownTemplate['cards']>): TemplateResult =>
  html`<ul class="cards" tabindex="0" aria-label="Cards">
    ${cards.map(
      ({ header, body, buttons }, index) => html`<li aria-label=${`Card ${index + 1} of ${cards.length}`}>
      ${header?.media ? aboveOf(header.format.toLowerCase(), record(header.media)) : nothing}
      ${body ? html`<p>${marked(body)}</p>` : nothing}
      <div class="buttons">${buttons.map((button) => templateButton(message, button))}</div>
    </li>`,
    )}
  </ul>`

const aboveOf = (kind: string, media: Record<string, unknown>): TemplateResult =>
  kind === 'product'
    ? html`<p>${icon('image', 18)} Product <strong>${text(media['product_retailer_id'])}</strong></p>`
    : kind === 'location'
      ? html`<p>${icon('place', 18)} <strong>${text(media['name'])}</strong><br />${text(media['address'])}</p>`
      : mediaOf(kind, media)

export const templateButtons = (message: Message, { buttons }: ShownTemplate): TemplateResult[] =>
  buttons.map((button) => templateButton(message, button))

function templateButton(
  message: Message,
  { type, text: label, url, payload, action: opens }: ShownButton,
): TemplateResult {
  const { id, content } = message
  if (url) return linkTo(url, label)
  if (type === 'QUICK_REPLY') return action('reply', label, press(id, payload ?? label))
  if (type === 'FLOW') return action('form', label, () => flowDialog(id, label))
  if (type === 'COPY_CODE' || type === 'OTP') {
    const code =
      payload ?? /"(?:coupon_code|text)":"([^"]+)"/.exec(JSON.stringify(content['components'] ?? ''))?.[1] ?? label
    return action('copy', label || 'Copy code', async () => {
      await navigator.clipboard?.writeText(code)
      showNotice(`“${code}” is copied.`)
    })
  }
  if (type === 'CATALOG' || type === 'MPM')
    return action('list', label, () => shopDialog(message, label, record(opens)))
  if (type === 'SPM') {
    const product = record(message.shown?.header?.media)['product_retailer_id']
    return action('list', label, () => shopDialog(message, label, { thumbnail_product_retailer_id: product }))
  }
  if (type === 'PHONE_NUMBER' || type === 'VOICE_CALL')
    return action('call', label, () => showNotice('Calls are not simulated.'))
  return action('list', label, () => showNotice('This button is not simulated.'))
}

/** Stands in for the screens of a flow, which the simulator does not know: names and values of what was entered. */
function flowDialog(wamid: string, title: string): void {
  const answers = [{ name: 'name', value: '' }]
  const typed = (answer: { name: string; value: string }, part: 'name' | 'value') => (event: Event) => {
    answer[part] = enteredIn(event)
  }
  openDialog({
    title,
    action: 'Complete',
    body: () => html`<p class="hint">Screens of a flow are not simulated. Enter what the business is to receive.</p>
      ${answers.map(
        (answer, index) => html`<div class="pair">
        ${field('Field', html`<input maxlength="100" .value=${answer.name} @input=${typed(answer, 'name')} />`)}
        ${field('Answer', html`<input maxlength="1000" ?autofocus=${index === 0} .value=${answer.value} @input=${typed(answer, 'value')} />`)}
      </div>`,
      )}
      <button type="button" class="link" @click=${() => {
        answers.push({ name: '', value: '' })
        update()
      }}>${icon('plus', 18)} Add a field</button>`,
    run: () => {
      const filledAnswers = answers.filter(({ name }) => name.trim() !== '')
      if (filledAnswers.length === 0) return 'Enter at least one field.'
      const flow = Object.fromEntries(filledAnswers.map(({ name, value }) => [name.trim(), value]))
      return call('/press', { wamid, flow })
    },
  })
}

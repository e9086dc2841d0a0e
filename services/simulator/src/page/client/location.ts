import { html, type TemplateResult } from 'lit-html'
import { enteredIn, field, openDialog } from './dialog.ts'
import { send } from './sending.ts'
import { update } from './state.ts'
import type { Message, Phone } from './types.ts'

const places = [
  { name: 'Gateway of India', address: 'Apollo Bandar, Colaba, Mumbai', latitude: 18.922, longitude: 72.8347 },
  { name: 'Brandenburger Tor', address: 'Pariser Platz, Berlin', latitude: 52.5163, longitude: 13.3777 },
  { name: 'Parque Ibirapuera', address: 'Vila Mariana, São Paulo', latitude: -23.5874, longitude: -46.6576 },
  { name: 'Central Park', address: 'New York, NY', latitude: 40.7829, longitude: -73.9654 },
] as const

/** A customer sends a place, one of a few or any. @param asked the message that asked for it. */
export function locationDialog(phone: Phone, asked?: Message): void {
  let chosen = 0
  const customPlace = { latitude: '', longitude: '', name: '' }
  const choose = (index: number) => () => {
    chosen = index
    update()
  }
  const typed = (name: keyof typeof customPlace) => (event: Event) => {
    customPlace[name] = enteredIn(event).trim()
  }
  const choice = (index: number, name: string, address: string): TemplateResult => html`<label class="choice">
    <input type="radio" name="place" ?autofocus=${index === 0} .checked=${chosen === index} @change=${choose(index)} />
    <span><strong>${name}</strong><small>${address}</small></span>
  </label>`

  openDialog({
    title: 'Send a location',
    action: 'Send',
    body: () => html`
      ${places.map(({ name, address }, index) => choice(index, name, address))}
      ${choice(places.length, 'Another place', 'By its coordinates')}
      ${
        chosen === places.length
          ? html`<div class="pair">
              ${field('Latitude', html`<input inputmode="decimal" placeholder="48.8584" .value=${customPlace.latitude} @input=${typed('latitude')} />`)}
              ${field('Longitude', html`<input inputmode="decimal" placeholder="2.2945" .value=${customPlace.longitude} @input=${typed('longitude')} />`)}
            </div>
            ${field('Name', html`<input maxlength="100" placeholder="None" .value=${customPlace.name} @input=${typed('name')} />`)}`
          : ''
      }`,
    run: () => {
      const chosenPlace = places[chosen]
      if (chosenPlace) return send(phone, 'location', chosenPlace, asked ?? phone.replyTo)
      const at = { latitude: Number(customPlace.latitude), longitude: Number(customPlace.longitude) }
      if (customPlace.latitude === '' || !(Math.abs(at.latitude) <= 90)) return 'A latitude lies between −90 and 90.'
      if (customPlace.longitude === '' || !(Math.abs(at.longitude) <= 180))
        return 'A longitude lies between −180 and 180.'
      return send(
        phone,
        'location',
        { ...at, ...(customPlace.name && { name: customPlace.name }) },
        asked ?? phone.replyTo,
      )
    },
  })
}

import { html, nothing, type TemplateResult } from 'lit-html'
import { spanOf, wholeTimeOf } from './format.ts'
import { logView } from './log.ts'
import { change, numberInView, state } from './state.ts'
import type { World } from './types.ts'

const hourMs = 3600_000
const oldSeconds = 24 * 3600
const largeBytes = 3_000_000

/** Draws time travel, faults and the log of webhooks. */
export function toolsView(): TemplateResult {
  const { world } = state
  if (!world) return html`<div class="tools"></div>`
  return html`<div class="tools">
    <section aria-labelledby="time">
      <h2 id="time">Time</h2>
      <p class="clock">${wholeTimeOf(world.now)}${world.skippedMs > 0 ? html`<small>${spanOf(world.skippedMs)} ahead of the real time</small>` : nothing}</p>
      <div class="row">
        <button @click=${travel(hourMs)}>+1 h</button>
        <button @click=${travel(25 * hourMs)}>+25 h</button>
        <button @click=${travel(7 * 24 * hourMs)}>+7 days</button>
      </div>
    </section>
    <section aria-labelledby="faults">
      <header><h2 id="faults">Faults</h2>${countOf(world) > 0 ? html`<button class="link" @click=${() => change('/reset', {})}>Reset all</button>` : nothing}</header>
      ${numberFaults()}
      ${webhookFaults(world)}
    </section>
    ${logView()}
  </div>`
}

const travel = (ms: number) => () => change('/clock', { advance: ms })

/** Counts the faults that are set. */
function countOf({ injections, webhooks, ladder }: World): number {
  const number = numberInView()
  const broken = [
    number?.tokenExpired,
    number && number.quality !== 'GREEN',
    webhooks.paused,
    webhooks.signature !== 'right',
    webhooks.copies > 1,
    webhooks.shuffleMs > 0,
    webhooks.oldBySeconds > 0,
    webhooks.paddingBytes > 0,
    webhooks.unknown,
    ladder.swap,
    ladder.skipDelivered,
    ladder.dropEvery > 0,
  ]
  return injections.length + broken.filter(Boolean).length
}

const toggle = (label: string, isOn: boolean, path: string, body: object) => html`<label class="switch">
  <input type="checkbox" role="switch" .checked=${isOn} @change=${() => change(path, body)} /><span>${label}</span>
</label>`

function numberFaults(): TemplateResult {
  const number = numberInView()
  if (!number) return html`<p class="hint">Faults of a number can be set once there is one.</p>`
  const { id, tokenExpired, quality } = number
  return html`
    ${toggle('Token has expired', tokenExpired, `/token/${tokenExpired ? 'restore' : 'expire'}`, { phone_number_id: id })}
    ${injection('Number is too slow (130429)', { kind: 'error', code: 130429 })}
    ${injection('WhatsApp is down (131016)', { kind: 'error', code: 131016 })}
    ${injection('Answers get lost', { kind: 'reset' })}
    <label class="pairing"><span>Quality</span>
      <select @change=${(event: Event) => change('/quality', { phone_number_id: id, quality: (event.target as HTMLSelectElement).value })}>
        ${['GREEN', 'YELLOW', 'RED'].map((value) => html`<option value=${value} ?selected=${quality === value}>${value.charAt(0) + value.slice(1).toLowerCase()}</option>`)}
        ${quality === 'UNKNOWN' ? html`<option value="UNKNOWN" selected>Unknown</option>` : nothing}
      </select>
    </label>`
}

function webhookFaults({ webhooks, ladder }: World): TemplateResult {
  const { paused, signature, copies, shuffleMs, oldBySeconds, paddingBytes, unknown } = webhooks
  const wrong = signature === 'wrong'
  return html`
    ${toggle('Webhooks are not sent', paused, '/webhooks', { paused: !paused })}
    <details>
      <summary>More faults of webhooks</summary>
      ${toggle('Signatures are wrong', wrong, '/webhooks', { signature: wrong ? 'right' : 'wrong' })}
      ${toggle('Each comes three times', copies === 3, '/webhooks', { copies: copies === 3 ? 1 : 3 })}
      ${toggle('They come out of order', shuffleMs > 0, '/webhooks', { shuffleMs: shuffleMs > 0 ? 0 : 3000 })}
      ${toggle('They are a day old', oldBySeconds > 0, '/webhooks', { oldBySeconds: oldBySeconds > 0 ? 0 : oldSeconds })}
      ${toggle('They are 3 MB large', paddingBytes > 0, '/webhooks', { paddingBytes: paddingBytes > 0 ? 0 : largeBytes })}
      ${toggle('They hold unknown fields', unknown, '/webhooks', { unknown: !unknown })}
      ${toggle('“Sent” comes after “delivered”', ladder.swap, '/ladder', { swap: !ladder.swap })}
      ${toggle('“Delivered” is left out', ladder.skipDelivered, '/ladder', { skipDelivered: !ladder.skipDelivered })}
      ${toggle('Every second status gets lost', ladder.dropEvery === 2, '/ladder', { dropEvery: ladder.dropEvery === 2 ? 0 : 2 })}
    </details>`
}

function injection(label: string, effect: { kind: string; code?: number }): TemplateResult {
  const active = state.world?.injections.find(
    (known) =>
      known.effect.kind === effect.kind &&
      known.effect.code === effect.code &&
      (known.numberId ?? state.numberId) === state.numberId,
  )
  const turn = () =>
    active
      ? change(`/inject/${active.id}`, undefined, 'DELETE')
      : change('/inject', { numberId: state.numberId, trigger: { kind: 'always' }, effect })
  return html`<label class="switch">
    <input type="checkbox" role="switch" .checked=${active !== undefined} @change=${turn} /><span>${label}</span>
  </label>`
}

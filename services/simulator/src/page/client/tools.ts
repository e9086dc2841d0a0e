import { html, nothing, type TemplateResult } from 'lit-html'
import { timeOf } from './format.ts'
import { call, type Delivery, refresh, state, update } from './state.ts'

const hourMs = 3600_000

/** Time travel, faults and the log of webhooks. */
export function toolsView(): TemplateResult {
  const { world } = state
  if (!world) return html`<aside class="tools"></aside>`
  return html`<aside class="tools" aria-label="Time, faults and deliveries">
    <h2>Time</h2>
    <p class="clock">${new Date(world.now).toLocaleString()}${world.skippedMs > 0 ? html` <small>${Math.round(world.skippedMs / hourMs)} h ahead</small>` : nothing}</p>
    <div class="row">
      <button @click=${travel(hourMs)}>+1 h</button>
      <button @click=${travel(25 * hourMs)}>+25 h</button>
      <button @click=${travel(7 * 24 * hourMs)}>+7 days</button>
    </div>
    <h2>Faults</h2>
    <div class="faults">
      ${toggle('Webhooks are not sent', world.webhooks.paused, '/webhooks', { paused: !world.webhooks.paused })}
      ${toggle('Signatures are wrong', world.webhooks.signature === 'wrong', '/webhooks', { signature: world.webhooks.signature === 'wrong' ? 'right' : 'wrong' })}
      ${toggle('Every webhook comes three times', world.webhooks.copies === 3, '/webhooks', { copies: world.webhooks.copies === 3 ? 1 : 3 })}
      ${injection('Number is slow (130429)', { kind: 'error', code: 130429 })}
      ${injection('Token has expired (190)', { kind: 'error', code: 190 })}
      ${injection('WhatsApp is down (131016)', { kind: 'error', code: 131016 })}
      ${injection('Answers get lost', { kind: 'reset' })}
      ${quality()}
    </div>
    <h2>Deliveries</h2>
    <ol class="deliveries">
      ${state.deliveries.slice(0, 60).map(delivery)}
    </ol>
    ${state.deliveries.length === 0 ? html`<p class="empty">Webhooks that are sent to Parley are listed here.</p>` : nothing}
  </aside>`
}

const travel = (ms: number) => async () => {
  await call('/clock', { advance: ms })
  await refresh()
}

const toggle = (label: string, on: boolean, path: string, body: object) => html`<label class="switch">
  <input type="checkbox" .checked=${on} @change=${async () => {
    await call(path, body)
    await refresh()
  }} />${label}
</label>`

function injection(label: string, effect: { kind: string; code?: number }): TemplateResult {
  const active = state.world?.injections.find(
    (known) => known.effect.kind === effect.kind && known.effect.code === effect.code,
  )
  return html`<label class="switch">
    <input type="checkbox" .checked=${active !== undefined} @change=${async () => {
      if (active) await call(`/inject/${active.id}`, undefined, 'DELETE')
      else await call('/inject', { numberId: state.numberId, trigger: { kind: 'always' }, effect })
      await refresh()
    }} />${label}
  </label>`
}

function quality(): TemplateResult {
  const number = state.world?.numbers.find(({ id }) => id === state.numberId)
  const choose = async (event: Event) => {
    await call('/quality', { phone_number_id: state.numberId, quality: (event.target as HTMLSelectElement).value })
    await refresh()
  }
  return html`<label class="field">Quality of the number
    <select @change=${choose}>
      ${['GREEN', 'YELLOW', 'RED'].map((value) => html`<option ?selected=${number?.quality === value}>${value}</option>`)}
    </select>
  </label>`
}

function delivery({ id, state: outcome, attempts, createdAt, body }: Delivery): TemplateResult {
  const last = attempts.at(-1)
  const open = state.openDelivery === id
  const toggleOpen = async () => {
    state.openDelivery = open ? undefined : id
    if (!open) state.deliveries = (await call<{ items: Delivery[] }>('/deliveries')).items
    update()
  }
  return html`<li>
    <button class="delivery ${outcome}" aria-expanded=${open} @click=${toggleOpen}>
      <time>${timeOf(createdAt)}</time>
      <span>${last?.status ?? last?.error ?? 'waiting'}</span>
      <small>${attempts.length > 1 ? `${attempts.length} attempts` : outcome}</small>
    </button>
    ${open ? html`<pre>${pretty(body)}</pre><button @click=${() => call(`/deliveries/${id}/redeliver`, {})}>Deliver again</button>` : nothing}
  </li>`
}

function pretty(body: string | undefined): string {
  try {
    return JSON.stringify(JSON.parse(body ?? ''), null, 2)
  } catch {
    return body ?? ''
  }
}

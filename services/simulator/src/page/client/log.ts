import { html, nothing, type TemplateResult } from 'lit-html'
import { openDialog } from './dialog.ts'
import { spanOf, timeOf, wholeTimeOf } from './format.ts'
import { call, numberInView, showNotice, state, update } from './state.ts'
import type { Delivery, WholeDelivery } from './types.ts'

const shownAtOnce = 60

/** The webhooks of the account in view, newest first. */
export function logView(): TemplateResult {
  const accountId = numberInView()?.accountId
  const accountDeliveries = state.deliveries.filter((delivery) => delivery.accountId === accountId)
  return html`<section class="log" aria-labelledby="log">
    <h2 id="log">Webhooks</h2>
    <ol>${accountDeliveries.slice(0, shownAtOnce).map(row)}</ol>
    ${accountDeliveries.length === 0 ? html`<p class="hint">What WhatsApp tells Parley is listed here.</p>` : nothing}
  </section>`
}

const words = { pending: 'is tried again', delivered: 'delivered', dropped: 'given up' } as const

function row(delivery: Delivery): TemplateResult {
  const last = delivery.attempts.at(-1)
  return html`<li>
    <button aria-haspopup="dialog" @click=${() => show(delivery.id)}>
      <span class="status ${delivery.state}">${last ? (last.status ?? 'none') : '…'}</span>
      <span class="names"><strong>${delivery.about}</strong>${delivery.attempts.length > 1 || delivery.state !== 'delivered' ? html`<small>${delivery.attempts.length} attempts, ${words[delivery.state]}</small>` : nothing}</span>
      <time>${timeOf(delivery.createdAt)}</time>
    </button>
  </li>`
}

const read = async (id: string) =>
  (await call<{ items: WholeDelivery[] }>('/deliveries')).items.find((delivery) => delivery.id === id)

async function show(id: string): Promise<void> {
  let delivery = await read(id)
  if (!delivery) return showNotice('That delivery is no longer kept.')
  openDialog({
    title: delivery.about.charAt(0).toUpperCase() + delivery.about.slice(1),
    isWide: true,
    action: 'Deliver again',
    body: () => (delivery ? wholeView(delivery) : html``),
    run: async () => {
      await call(`/deliveries/${id}/redeliver`, {})
      showNotice('It is delivered once more.')
      delivery = await read(id)
      update()
    },
  })
}

function wholeView({ url, headers, body, attempts, state: outcome, nextAt }: WholeDelivery): TemplateResult {
  const waitMs = nextAt - (state.world?.now ?? Date.now())
  return html`
    <h3>Attempts</h3>
    <ol class="attempts">${attempts.map(
      ({ at, status, error }) =>
        html`<li><span class="status ${status === 200 ? 'delivered' : 'pending'}">${status ?? 'none'}</span><span>${error ?? (status === 200 ? 'accepted' : 'refused')}</span><time>${wholeTimeOf(at)}</time></li>`,
    )}</ol>
    ${attempts.length === 0 ? html`<p class="hint">Not tried yet.</p>` : nothing}
    ${outcome === 'pending' && waitMs > 0 ? html`<p class="hint">Tried again in ${spanOf(waitMs)}.</p>` : nothing}
    <h3>Request</h3>
    <dl class="facts"><dt>POST</dt><dd><code>${url}</code></dd>${Object.entries(headers).map(([name, value]) => html`<dt>${name}</dt><dd><code>${value}</code></dd>`)}</dl>
    <h3>Body</h3>
    <pre tabindex="0">${pretty(body)}</pre>`
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2).slice(0, 20_000)
  } catch {
    return body.slice(0, 20_000)
  }
}

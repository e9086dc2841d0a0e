import { numbersApi } from '@parley/contracts/channel/number-endpoints'
import type { APIRequestContext } from '@playwright/test'
import { z } from 'zod'
import { callAsPage } from './accounts.ts'
import type { AppProcess } from './app-process.ts'
import { until } from './until.ts'

const inboundSchema = z.object({ id: z.string() })
const sentSchema = z.object({
  items: z.array(z.object({ id: z.string(), direction: z.string(), content: z.unknown() })),
})

/** The customers' phones of a simulated number. */
export interface Phones {
  /** A customer writes. @returns the message's id at WhatsApp. */
  write(from: Customer, text: string, when?: { at: number }): Promise<string>
  /** A customer taps a button or row, by its title, of the newest message that has it. */
  press(from: Customer, title: string): Promise<void>
  /** Names a customer of this number in what `control` sends. */
  customer(from: Customer): { phone_number_id: string; from: string }
  /** Calls any other path of the simulator's control API, below `/sim`. */
  control(path: string, body: unknown): Promise<unknown>
  /** Returns what the control API reports about this number. */
  look(path: string): Promise<unknown>
}
interface Customer {
  readonly phone: string
  readonly name: string
}

/**
 * Connects a simulated number to the workspace of the session that `request` bears. In one without sample data it is the only
 * one, and what customers write is all there is.
 */
export async function connectPhones(request: APIRequestContext, app: AppProcess): Promise<Phones> {
  const answer = await callAsPage(request, app, { method: 'POST', path: numbersApi.simulate.path })
  const { phoneNumberId } = numbersApi.simulate.response.parse(await answer.json())
  const control = (path: string, body: unknown) =>
    call(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  async function call(path: string, init: RequestInit = {}): Promise<unknown> {
    const answer = await fetch(`${app.urls.simulator}/sim${path}`, init)
    if (!answer.ok) throw new Error(`the simulator answered ${answer.status} to ${path}: ${await answer.text()}`)
    return answer.json()
  }
  return {
    control,
    customer: ({ phone }) => ({ phone_number_id: phoneNumberId, from: phone }),
    async press({ phone }, title) {
      const to = encodeURIComponent(phone)
      // The inbox shows a message before it has reached the phone.
      const asked = await until(`a message to ${phone} with a button ${title}`, async () => {
        const { items } = sentSchema.parse(await call(`/messages?to=${to}&phone_number_id=${phoneNumberId}`))
        return items.findLast(
          ({ direction, content }) => direction === 'outbound' && JSON.stringify(content).includes(`"${title}"`),
        )
      })
      await control('/press', { wamid: asked.id, button: title })
    },
    look: (path) => call(`${path}&phone_number_id=${phoneNumberId}`),
    async write({ phone, name }, text, when) {
      const message = { phone_number_id: phoneNumberId, from: phone, name, type: 'text', text: { body: text }, ...when }
      return inboundSchema.parse(await control('/inbound', message)).id
    },
  }
}

import { sleep } from 'k6'
import http from 'k6/http'
import { type Answer, expectStatus, json, pageHeaders, textParams as params, textField } from './answers.ts'

/** Simulated number of the signed-in user's workspace. */
interface Line {
  readonly phoneNumberId: string
}

const shownWithinSeconds = 15
const lookEverySeconds = 0.1
const preparedWithinSeconds = 60

/** The inbox as its page calls it, and customers who write by way of the simulator. */
export function createInbox(target: string, simulator: string) {
  const requestHeaders = { ...pageHeaders(target), ...json }
  const conversations = (): Answer => {
    const path = '/api/conversations'
    return expectStatus(http.get(`${target}${path}?limit=20`, params(path)), 200, 'The list of conversations')
  }

  /** The list, and a number to be written to, made where there is none. */
  function open(): Line {
    conversations()
    const path = '/api/numbers'
    const numbers = expectStatus(http.get(`${target}${path}`, params(path)), 200, 'The list of numbers')
    // A number of the sample data is in the list before it is on the simulator.
    const known = numbers.json('items.#(phonePageUrl%"http*").phoneNumberId')
    if (typeof known === 'string') return { phoneNumberId: known }
    const made = http.post(`${target}${path}/simulated`, null, params(`${path}/simulated`, requestHeaders))
    return { phoneNumberId: textField(expectStatus(made, 201, 'The simulated number'), 'phoneNumberId') }
  }

  /** A customer writes: until the conversation is in the list. @returns its id. */
  function receive({ phoneNumberId }: Line, text: string): string {
    const from = `9198${Math.floor(Math.random() * 1e8)
      .toString()
      .padStart(8, '0')}`
    const body = JSON.stringify({ phone_number_id: phoneNumberId, from, type: 'text', text: { body: text } })
    expectStatus(http.post(`${simulator}/sim/inbound`, body, params('/sim/inbound', json)), 200, 'The simulator')
    const giveUpAt = Date.now() + shownWithinSeconds * 1000
    while (Date.now() < giveUpAt) {
      const id = conversations().json(`items.#(contact.phone=="+${from}").id`)
      if (typeof id === 'string') return id
      sleep(lookEverySeconds)
    }
    throw new Error(`The message was not shown within ${shownWithinSeconds} s`)
  }

  function send(conversationId: string, text: string): void {
    const body = JSON.stringify({ content: { type: 'text', text } })
    const path = '/api/conversations/:id/messages'
    const answer = http.post(`${target}${path.replace(':id', conversationId)}`, body, params(path, requestHeaders))
    expectStatus(answer, 201, 'The message')
  }

  /** The first call of a workspace makes what it begins with, which no measurement is about. */
  function prepare(): void {
    const giveUpAt = Date.now() + preparedWithinSeconds * 1000
    for (;;)
      try {
        open()
        return
      } catch (error) {
        if (Date.now() > giveUpAt) throw error
        sleep(1)
      }
  }

  return { prepare, open, receive, send }
}

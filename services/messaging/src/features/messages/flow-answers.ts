import type { MessageContent } from '@parley/contracts/messages'

type Answers = NonNullable<Extract<MessageContent, { type: 'interactive' }>['answers']>

const most = 50

/**
 * What a customer has filled into a form (a WhatsApp flow), in its order.
 * @param responseJson a JSON object, as WhatsApp hands it over; whatever else comes to no answers.
 */
export function flowAnswers(responseJson: string | undefined): Answers | undefined {
  const response = parsed(responseJson)
  if (!response) return undefined
  return Object.entries(response)
    .filter(([name, value]) => name !== 'flow_token' && value !== null && value !== '')
    .slice(0, most)
    .map(([name, value]) => ({
      question: questionOf(name).slice(0, 100),
      answer: answerOf(value, isGenerated(name)).slice(0, 1000),
    }))
}

function parsed(json: string | undefined): object | undefined {
  try {
    const value: unknown = JSON.parse(json ?? '')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Meta's editor of forms makes names like `screen_0_Your_name_1`, and choices like `0_Very_good`. */
const isGenerated = (name: string): boolean => /^screen_\d+_/.test(name)

function questionOf(name: string): string {
  const words = name
    .replace(/^screen_\d+_(.+?)(_\d+)?$/, '$1')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
  return words === '' ? name : words.slice(0, 1).toUpperCase() + words.slice(1)
}

function answerOf(value: unknown, generated: boolean): string {
  if (Array.isArray(value)) return value.map((one) => answerOf(one, generated)).join(', ')
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value !== 'string') return JSON.stringify(value)
  return generated && /^\d+_/.test(value) ? value.replace(/^\d+_/, '').replaceAll('_', ' ') : value
}

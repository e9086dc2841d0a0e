import type { MessageContent } from '@parley/contracts/inbox/messages'

type Answers = NonNullable<Extract<MessageContent, { type: 'interactive' }>['answers']>

const maxAnswers = 50
/** A form's own answers are no deeper; what is deeper is left out. */
const maxLevels = 6

/** Names of WhatsApp's own that are no answers: ids, and what its app keeps for itself. */
const ownNames = new Set(['flow_token', 'saved_address_id', 'wa_flow_response_params'])
/** Names of the objects that hold the answers. */
const holders = new Set(['values', 'data', 'response'])

/**
 * Returns what a customer entered in a form (a WhatsApp flow, an address message), in its order: one answer for each value that
 * is set, nested ones included.
 * @param responseJson a JSON object, as WhatsApp hands it over; anything else gives no answers.
 */
export function flowAnswers(responseJson: string | undefined): Answers | undefined {
  const response = parsed(responseJson)
  return response && [...answersIn(response, [], maxLevels)].slice(0, maxAnswers)
}

/** Token of forms that are given none, as those of templates. Source: Meta, WhatsApp Flows: sending a Flow. */
const noToken = 'unused'

/** Returns what we have given a form to know it by; WhatsApp may leave it out. */
export function flowToken(responseJson: string | undefined): string | undefined {
  const response = parsed(responseJson)
  const token = response && 'flow_token' in response ? response.flow_token : undefined
  return typeof token === 'string' && token.length <= 256 && token !== noToken ? token : undefined
}

function* answersIn(response: object, path: readonly string[], levels: number): Generator<Answers[number]> {
  for (const [name, value] of Object.entries(response)) {
    if (ownNames.has(name)) continue
    const under = holders.has(name) && isNested(value) ? path : [...path, name]
    const answer = answerOf(value, isGenerated(name))
    if (answer !== undefined) {
      if (answer.trim() !== '')
        yield { question: under.map(questionOf).join(' › ').slice(0, 100), answer: answer.slice(0, 1000) }
    } else if (levels > 0 && isNested(value)) {
      // Places of a list are counted as people count.
      const inner = Array.isArray(value) ? Object.fromEntries(value.map((item, at) => [`${at + 1}.`, item])) : value
      yield* answersIn(inner, under, levels - 1)
    }
  }
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null

function parsed(json: string | undefined): object | undefined {
  try {
    const value: unknown = JSON.parse(json ?? '')
    return isNested(value) && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** True for a name that Meta's form editor has made, like `screen_0_Your_name_1`; its choices are like `0_Very_good`. */
const isGenerated = (name: string): boolean => /^screen_\d+_/.test(name)

/** Fields of address messages carry their country (Cloud API, address messages of India and Singapore). */
const knownQuestions: Readonly<Record<string, string>> = { in_pin_code: 'PIN code', sg_post_code: 'Post code' }

function questionOf(name: string): string {
  const words = name
    .replace(/^screen_\d+_(.+?)(_\d+)?$/, '$1')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
  if (Object.hasOwn(knownQuestions, name)) return knownQuestions[name] ?? name
  return words === '' ? name : words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** @returns `undefined` for what has answers of its own. */
function answerOf(value: unknown, generated: boolean): string | undefined {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string')
    return generated && /^\d+_/.test(value) ? value.replace(/^\d+_/, '').replaceAll('_', ' ') : value
  if (!Array.isArray(value)) return fileNameOf(value)
  const all = value.map((one) => answerOf(one, generated))
  return all.some((one) => one === undefined) ? undefined : all.filter((one) => one?.trim()).join(', ')
}

/** A file that a form has asked for is an object with its name, type and hash. */
function fileNameOf(value: unknown): string | undefined {
  if (!isNested(value) || !('mime_type' in value || 'sha256' in value) || !('file_name' in value)) return undefined
  return String(value.file_name)
}

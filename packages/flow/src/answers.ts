import { emailSchema } from '@parley/contracts/account/auth'
import type { AnswerKind } from '@parley/contracts/automation/flow'
import { type Attribute, attributeValue } from '@parley/contracts/contacts/contact-attributes'
import { phoneSchema } from '@parley/contracts/core/records'
import type { MessagePart } from './inputs.ts'
import { maxTextLength } from './variables.ts'

export type AttributeDefinition = Pick<Attribute, 'name' | 'label' | 'type' | 'choices'>

/** Maximum length of a value in a field. */
export const maxValueLength = 1000

const mediaTypes: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'document', 'sticker'])

/** Returns the answers of the form that a message has filled in; `undefined` where it is none. */
export const answersIn = (parts: readonly MessagePart[]): MessagePart['answers'] =>
  parts.find(({ answers }) => answers !== undefined)?.answers

/** A part as people read it: of a form its questions with their answers, a line for each. */
export const wordsOf = ({ text, answers }: MessagePart): string =>
  answers === undefined || answers.length === 0
    ? text
    : answers
        .map(({ question, answer }) => `${question}: ${answer}`)
        .join('\n')
        .slice(0, maxTextLength)

/** The parts of a message as one text, a line for each. */
export const textOf = (parts: readonly MessagePart[]): string =>
  parts
    .map((part) => wordsOf(part).trim())
    .filter((text) => text !== '')
    .join('\n')

/**
 * The value of an answer, in the one way in which it is stored.
 * @param definition of the field that stores it, by which it is checked too.
 * @returns `undefined` where the answer is of another kind.
 */
export function readAnswer(
  expects: AnswerKind,
  parts: readonly MessagePart[],
  definition?: AttributeDefinition,
): string | undefined {
  const value = readValue(expects, parts)
  if (value === undefined || value.trim() === '') return undefined
  const short = value.slice(0, maxValueLength)
  return definition ? valueFor(definition, short) : short
}

/** A value as a field of contacts stores it; `undefined` where it does not fit. */
export function valueFor(definition: AttributeDefinition, text: string): string | undefined {
  const read = attributeValue(definition, text)
  return 'value' in read ? read.value : undefined
}

function readValue(expects: AnswerKind, parts: readonly MessagePart[]): string | undefined {
  const text = textOf(parts.filter(({ contentType }) => contentType !== 'location'))
  switch (expects) {
    case 'text':
      return text
    case 'any':
      return text || placeOf(parts) || parts.find(({ contentType }) => mediaTypes.has(contentType))?.contentType
    case 'number':
    case 'date':
      return valueFor({ name: '', label: '', type: expects, choices: [] }, text)
    case 'email':
      return emailSchema.safeParse(text).data
    case 'phone':
      return phoneSchema.safeParse(text.replaceAll(/[\s().\-/]/g, '').replace(/^00/, '+')).data
    case 'location':
      return placeOf(parts)
    case 'media': {
      const media = parts.find(({ contentType }) => mediaTypes.has(contentType))
      return media && (media.text.trim() || media.contentType)
    }
  }
}

/** Coordinates as maps take them: `12.9716,77.5946`. */
function placeOf(parts: readonly MessagePart[]): string | undefined {
  const location = parts.find((part) => part.place)?.place
  return location && `${location.latitude},${location.longitude}`
}

import { z } from 'zod'
import { defineEndpoint } from '../core/endpoint.ts'
import { byId, idSchema, leftOutField } from '../core/records.ts'

/** Fields that a workspace defines beside those that every contact has. */
export const maxAttributes = 100
const maxChoices = 50

/** Values are texts; the type says which texts, and how they are entered and compared. */
export const attributeTypes = ['text', 'number', 'date', 'choice', 'yes_no'] as const
export type AttributeType = (typeof attributeTypes)[number]

const labelSchema = z.string().trim().min(1, 'Enter a name').max(60, 'A name has at most 60 characters')
const choiceSchema = z.string().trim().min(1, 'Enter a choice').max(60, 'A choice has at most 60 characters')
const nameSchema = z.string().trim().min(1).max(64)
const editableFields = {
  label: labelSchema,
  type: z.enum(attributeTypes),
  /** Choices in the order in which they are offered; empty for other types. */
  choices: z.array(choiceSchema).max(maxChoices, `At most ${maxChoices} choices`),
}

export const attributeSchema = z.object({
  id: idSchema,
  /** Permanent name under which contacts store it; conditions name it `attributes.<name>`. */
  name: nameSchema,
  ...editableFields,
  version: z.number().int().positive(),
})
export type Attribute = z.infer<typeof attributeSchema>

/** Attribute that a person enters; the `name` of a removed definition takes over its values again. */
export const newAttributeSchema = z
  .object({ ...editableFields, name: nameSchema.optional() })
  .superRefine(({ type, choices }, issues) => {
    const report = (message: string) => issues.addIssue({ code: 'custom', path: ['choices'], message })
    if (type !== 'choice') return choices.length > 0 ? report('Only a choice has choices') : undefined
    if (choices.length === 0) return report('Enter a choice')
    if (new Set(choices.map(folded)).size < choices.length) report('Each choice once')
  })
export type NewAttribute = z.infer<typeof newAttributeSchema>

const folded = (text: string): string => text.trim().toLowerCase()

const maxValue = 1000
const yes = /^(y|yes|true|1|x|ja|si|sí|oui|sim|हाँ)$/i
const no = /^(n|no|false|0|nein|non|não|नहीं)$/i

/**
 * The one way of writing a value of this type: `1.5`, `2026-11-24`, `yes`, a choice as it is defined.
 * @returns what is wrong with it where it is none, for a person to read.
 */
export function attributeValue(
  { label, type, choices }: Pick<Attribute, 'label' | 'type' | 'choices'>,
  text: string,
): { readonly value: string } | { readonly problem: string } {
  const typed = text.trim()
  if (typed.length > maxValue) return { problem: `${label} has at most 1,000 characters.` }
  if (typed === '' || type === 'text') return { value: typed }
  if (type === 'number') {
    const number = typed.replace(',', '.')
    return /^[+-]?\d{1,15}(\.\d{1,15})?$/.test(number) ? { value: number } : { problem: `${label} is a number.` }
  }
  if (type === 'date') {
    const day = dayOf(typed)
    return day === undefined ? { problem: `${label} is a day, like 2026-11-24.${countedDay(typed)}` } : { value: day }
  }
  if (type === 'yes_no') {
    if (yes.test(typed)) return { value: 'yes' }
    return no.test(typed) ? { value: 'no' } : { problem: `${label} is yes or no.` }
  }
  const choice = choices.find((one) => folded(one) === folded(typed))
  return choice === undefined ? { problem: `${label} is one of ${choices.join(', ')}.` } : { value: choice }
}

const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?=$|[T ])(.*)$/
const digitsOnly = /^(\d{4})()(\d{2})(\d{2})(?=$|T)(.*)$/
const dayFirst = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?=$|[T ])(.*)$/
const clock = /^[T ] *(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)? *([AP]M)? *(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i

/** Year first, or day, month and year with dots, with or without a time: what has slashes otherwise may mean either. */
function dayOf(typed: string): string | undefined {
  const ofYear = yearFirst.exec(typed) ?? digitsOnly.exec(typed)
  const ofDay = dayFirst.exec(typed)
  const [year, month, day, rest = ''] = ofYear
    ? [ofYear[1], ofYear[3], ofYear[4], ofYear[5]]
    : [ofDay?.[3], ofDay?.[2], ofDay?.[1], ofDay?.[4]]
  if (!year || !month || !day) return undefined
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = new Date(`${text}T00:00:00Z`)
  if (Number.isNaN(at.getTime()) || !at.toISOString().startsWith(text)) return undefined
  if (rest === '') return text
  const time = clock.exec(rest)
  if (!time) return undefined
  return isMidnightEast(time) ? new Date(at.getTime() + dayMs).toISOString().slice(0, 10) : text
}
const dayMs = 86_400_000

/**
 * True for a time in UTC that is a midnight east of Greenwich: programs store a day as its first moment where they run, and
 * write that moment in UTC, where it belongs to the day before. From 11:00 on it is nearer to a midnight in the east
 * (New Zealand is up to 13 hours ahead) than to one in the west.
 */
function isMidnightEast([, hours, minutes = '', seconds = '00', half, zone]: RegExpExecArray): boolean {
  if (half || !zone || !/^(Z|UTC|GMT|[+-]00:?00)$/i.test(zone) || seconds !== '00') return false
  return Number(hours) >= 11 && ['00', '15', '30', '45'].includes(minutes)
}

/** Offers the day that a spreadsheet means by a number: days since 1899-12-30. */
function countedDay(typed: string): string {
  const days = /^([1-9]\d{3,4})(\.0+)?$/.exec(typed)?.[1]
  if (days === undefined) return ''
  const day = new Date(Date.UTC(1899, 11, 30) + Number(days) * dayMs).toISOString().slice(0, 10)
  return ` Spreadsheets count days: ${days} may be ${day}.`
}

export const attributesApi = {
  list: defineEndpoint({
    operation: 'contactAttributes.list',
    method: 'GET',
    path: '/api/contact-attributes',
    access: 'session',
    permission: 'contacts:read',
    summary: 'The workspace’s contact fields, by name.',
    status: 200,
    response: z.object({ ...leftOutField, items: z.array(attributeSchema).max(maxAttributes) }),
    errors: [],
  }),
  create: defineEndpoint({
    operation: 'contactAttributes.create',
    method: 'POST',
    path: '/api/contact-attributes',
    access: 'session',
    permission: 'segments:write',
    summary: 'Defines a field. Existing values of that name are kept.',
    body: newAttributeSchema,
    status: 201,
    response: attributeSchema,
    errors: ['attribute_exists', 'too_many_attributes'],
  }),
  update: defineEndpoint({
    operation: 'contactAttributes.update',
    method: 'PATCH',
    path: '/api/contact-attributes/:id',
    access: 'session',
    permission: 'segments:write',
    summary: 'Changes a definition. Values that do not match it are kept until they are edited.',
    params: byId,
    body: newAttributeSchema.safeExtend({ version: z.number().int().positive() }),
    status: 200,
    response: attributeSchema,
    errors: ['not_found', 'attribute_exists', 'stale_version'],
  }),
  remove: defineEndpoint({
    operation: 'contactAttributes.remove',
    method: 'DELETE',
    path: '/api/contact-attributes/:id',
    access: 'session',
    permission: 'segments:write',
    summary: 'Removes a definition. Contacts keep their values, as text.',
    params: byId,
    status: 204,
    errors: ['not_found'],
  }),
}

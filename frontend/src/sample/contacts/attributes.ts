import type { Attribute, NewAttribute } from '@parley/contracts/contact-attributes'
import type { Story } from '@parley/sample/story'
import { refusal } from '../answer.ts'

const defined = new WeakMap<Story, Map<string, Attribute>>()
let made = 0

function mapOf(story: Story): Map<string, Attribute> {
  const attributes = defined.get(story) ?? new Map<string, Attribute>()
  defined.set(story, attributes)
  return attributes
}

/** By label. */
export const attributesOf = (story: Story): Attribute[] =>
  [...mapOf(story).values()].sort((left, right) => left.label.localeCompare(right.label))

/** @throws Refusal `not_found`. */
export function findAttribute(story: Story, id: string): Attribute {
  const attribute = mapOf(story).get(id)
  if (!attribute) throw refusal('not_found', 'There is no such field.')
  return attribute
}

/** Defines a field, or makes the next version of one. @throws Refusal `attribute_exists`. */
export function saveAttribute(story: Story, { name, ...fields }: NewAttribute, of?: Attribute): Attribute {
  const isTaken = ({ id, label }: Attribute) => id !== of?.id && label.toLowerCase() === fields.label.toLowerCase()
  if (attributesOf(story).some(isTaken)) {
    const message = `There is a field named ${fields.label} already.`
    throw refusal('attribute_exists', message, { label: message })
  }
  if (!of) made += 1
  const { id = `field-${made}`, version = 0 } = of ?? {}
  const attribute = { ...fields, id, name: of?.name ?? name ?? fields.label, version: version + 1 }
  mapOf(story).set(id, attribute)
  return attribute
}

export function removeAttribute(story: Story, id: string): undefined {
  findAttribute(story, id)
  mapOf(story).delete(id)
  return undefined
}

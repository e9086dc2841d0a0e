import type { Attribute, NewAttribute } from '@parley/contracts/contacts/contact-attributes'
import type { SampleDataset } from '@parley/sample/sample-dataset'
import { refusal } from '../answer.ts'

const defined = new WeakMap<SampleDataset, Map<string, Attribute>>()
let made = 0

function mapOf(sampleDataset: SampleDataset): Map<string, Attribute> {
  const attributes = defined.get(sampleDataset) ?? new Map<string, Attribute>()
  defined.set(sampleDataset, attributes)
  return attributes
}

/** Sorted by label. */
export const attributesOf = (sampleDataset: SampleDataset): Attribute[] =>
  [...mapOf(sampleDataset).values()].sort((left, right) => left.label.localeCompare(right.label))

/** @throws Refusal `not_found`. */
export function findAttribute(sampleDataset: SampleDataset, id: string): Attribute {
  const attribute = mapOf(sampleDataset).get(id)
  if (!attribute) throw refusal('not_found', 'There is no such field.')
  return attribute
}

/** Defines a field, or makes the next version of one. @throws Refusal `attribute_exists`. */
export function saveAttribute(
  sampleDataset: SampleDataset,
  { name, ...fields }: NewAttribute,
  of?: Attribute,
): Attribute {
  const isTaken = ({ id, label }: Attribute) => id !== of?.id && label.toLowerCase() === fields.label.toLowerCase()
  if (attributesOf(sampleDataset).some(isTaken)) {
    const message = `There is a field named ${fields.label} already.`
    throw refusal('attribute_exists', message, { label: message })
  }
  if (!of) made += 1
  const { id = `field-${made}`, version = 0 } = of ?? {}
  const attribute = { ...fields, id, name: of?.name ?? name ?? fields.label, version: version + 1 }
  mapOf(sampleDataset).set(id, attribute)
  return attribute
}

export function removeAttribute(sampleDataset: SampleDataset, id: string): undefined {
  findAttribute(sampleDataset, id)
  mapOf(sampleDataset).delete(id)
  return undefined
}

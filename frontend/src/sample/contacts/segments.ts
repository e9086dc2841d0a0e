import type { ConditionGroup } from '@parley/contracts/contacts/conditions'
import { builtInSegments, type NewSegment, type Segment } from '@parley/contracts/contacts/segments'
import { matchesGroup } from '@parley/flow/conditions'
import { contactValues } from '@parley/flow/contact-values'
import { describeConditions } from '@parley/rules/describe-conditions'
import type { SampleDataset } from '@parley/sample/sample-dataset'
import { refusal } from '../answer.ts'

const saved = new WeakMap<SampleDataset, Map<string, NewSegment & { id: string; version: number }>>()
let made = 0

function segmentsOf(sampleDataset: SampleDataset) {
  const segments = saved.get(sampleDataset) ?? new Map<string, NewSegment & { id: string; version: number }>()
  saved.set(sampleDataset, segments)
  return segments
}

/** @throws Refusal `not_found`. */
export function findSegment(sampleDataset: SampleDataset, id: string) {
  const segment = segmentsOf(sampleDataset).get(id)
  if (!segment) throw refusal('not_found', 'There is no such segment.')
  return segment
}

export const filterOfSegment = (sampleDataset: SampleDataset, id: string): ConditionGroup =>
  (builtInSegments.find((segment) => segment.id === id) ?? findSegment(sampleDataset, id)).filter

const counted = (sampleDataset: SampleDataset, segment: NewSegment & { id: string; version: number }): Segment => ({
  ...segment,
  description: describeConditions(segment.filter),
  count: [...sampleDataset.contacts.values()].filter((one) =>
    matchesGroup(segment.filter, contactValues(one), sampleDataset.now),
  ).length,
})

export const savedSegments = (sampleDataset: SampleDataset): Segment[] =>
  [...segmentsOf(sampleDataset).values()].map((segment) => counted(sampleDataset, segment))

/** Makes a segment, or the next version of one. @throws Refusal `segment_exists`. */
export function saveSegment(
  sampleDataset: SampleDataset,
  { id, version = 0, ...fields }: NewSegment & { id?: string; version?: number },
) {
  const segments = segmentsOf(sampleDataset)
  if (
    [...segments.values()].some((other) => other.id !== id && other.name.toLowerCase() === fields.name.toLowerCase())
  ) {
    const message = `There is a segment named ${fields.name} already.`
    throw refusal('segment_exists', message, { name: message })
  }
  if (id === undefined) made += 1
  const segment = { ...fields, id: id ?? `segment-${made}`, version: version + 1 }
  segments.set(segment.id, segment)
  return counted(sampleDataset, segment)
}

export function removeSegment(sampleDataset: SampleDataset, id: string): undefined {
  findSegment(sampleDataset, id)
  segmentsOf(sampleDataset).delete(id)
  return undefined
}

import type { ConditionGroup } from '@parley/contracts/conditions'
import { describeConditions } from '@parley/contracts/describe-conditions'
import { builtInSegments, type NewSegment, type Segment } from '@parley/contracts/segments'
import { matchesGroup } from '@parley/flow/conditions'
import { contactValues } from '@parley/flow/contact-values'
import type { Story } from '@parley/sample/story'
import { refusal } from '../answer.ts'

const saved = new WeakMap<Story, Map<string, NewSegment & { id: string; version: number }>>()
let made = 0

function segmentsOf(story: Story) {
  const segments = saved.get(story) ?? new Map<string, NewSegment & { id: string; version: number }>()
  saved.set(story, segments)
  return segments
}

/** @throws Refusal `not_found`. */
export function findSegment(story: Story, id: string) {
  const segment = segmentsOf(story).get(id)
  if (!segment) throw refusal('not_found', 'There is no such segment.')
  return segment
}

export const filterOfSegment = (story: Story, id: string): ConditionGroup =>
  (builtInSegments.find((segment) => segment.id === id) ?? findSegment(story, id)).filter

const counted = (story: Story, segment: NewSegment & { id: string; version: number }): Segment => ({
  ...segment,
  description: describeConditions(segment.filter),
  count: [...story.contacts.values()].filter((one) => matchesGroup(segment.filter, contactValues(one), story.now))
    .length,
})

export const savedSegments = (story: Story): Segment[] =>
  [...segmentsOf(story).values()].map((segment) => counted(story, segment))

/** Makes a segment, or the next version of one. @throws Refusal `segment_exists`. */
export function saveSegment(
  story: Story,
  { id, version = 0, ...fields }: NewSegment & { id?: string; version?: number },
) {
  const segments = segmentsOf(story)
  if (
    [...segments.values()].some((other) => other.id !== id && other.name.toLowerCase() === fields.name.toLowerCase())
  ) {
    const message = `There is a segment named ${fields.name} already.`
    throw refusal('segment_exists', message, { name: message })
  }
  if (id === undefined) made += 1
  const segment = { ...fields, id: id ?? `segment-${made}`, version: version + 1 }
  segments.set(segment.id, segment)
  return counted(story, segment)
}

export function removeSegment(story: Story, id: string): undefined {
  findSegment(story, id)
  segmentsOf(story).delete(id)
  return undefined
}

import { builtInSegments } from '@parley/contracts/contacts/segments'
import type { Tag } from '@parley/contracts/contacts/tags'
import { tagsOf } from '@parley/sample/contacts'
import type { SampleDataset } from '@parley/sample/sample-dataset'
import { refusal } from '../answer.ts'

const chosen = new WeakMap<SampleDataset, Map<string, Tag['colour']>>()

/** Returns the tags in use by contacts, in their given colours. */
export const tagsNow = (sampleDataset: SampleDataset): Tag[] =>
  tagsOf(sampleDataset.contacts.values())
    .filter(({ contacts }) => contacts > 0)
    .map((tag) => ({ ...tag, colour: chosen.get(sampleDataset)?.get(tag.name) ?? tag.colour }))

/** @throws Refusal `not_found`. */
export function colourTag(sampleDataset: SampleDataset, name: string, colour: Tag['colour']): undefined {
  if (!tagsNow(sampleDataset).some((tag) => tag.name === name)) throw refusal('not_found', 'There is no such tag.')
  chosen.set(sampleDataset, new Map([...(chosen.get(sampleDataset) ?? []), [name, colour]]))
  return undefined
}

/** @throws Refusal `tag_in_use`. */
export function refuseBuiltInTag(name: string): void {
  const segment = builtInSegments.find(({ filter }) => JSON.stringify(filter).includes(JSON.stringify(name)))
  if (segment)
    throw refusal(
      'tag_in_use',
      `${segment.name} is a segment of every workspace, and finds its contacts by the tag ${name}.`,
    )
}

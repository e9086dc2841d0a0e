import { attributesApi } from '@parley/contracts/contact-attributes'
import { type ContactChange, contactJobsApi } from '@parley/contracts/contact-jobs'
import { contactMergeApi } from '@parley/contracts/contact-merge'
import { contactTimelineApi } from '@parley/contracts/contact-timeline'
import { type Contact, contactsApi } from '@parley/contracts/contacts'
import { segmentsApi } from '@parley/contracts/segments'
import { tagsApi } from '@parley/contracts/tags'
import { segmentsOf } from '@parley/sample/contacts'
import type { Story } from '@parley/sample/story'
import { answer, Refusal, refusal, refuseStale } from '../answer.ts'
import { attributesOf, findAttribute, removeAttribute, saveAttribute } from '../contacts/attributes.ts'
import { addJob, exportedFile, jobsOf } from '../contacts/jobs.ts'
import { matching, selected } from '../contacts/matching.ts'
import { merge, mergedInto, unmerge } from '../contacts/merging.ts'
import { findSegment, removeSegment, savedSegments, saveSegment } from '../contacts/segments.ts'
import { bin, insert, phoneOwner, touch } from '../contacts/store.ts'
import { colourTag, refuseBuiltInTag, tagsNow } from '../contacts/tags.ts'
import { timelineOf } from '../contacts/timeline.ts'
import { pageOf } from '../page-of.ts'

function find(story: Story, id: string): Contact {
  const contact = story.contacts.get(id)
  if (!contact) throw refusal('not_found', 'There is no such contact.')
  return contact
}

function refuseDuplicate(story: Story, phone: string, own?: Contact): void {
  const owner = phoneOwner(story, phone)
  if (owner && owner !== own)
    throw new Refusal('contact_exists', `${owner.name} already has this phone number.`, {
      fields: { phone: `${owner.name} already has this phone number.` },
      existing: { id: owner.id, name: owner.name },
    })
}

export const answers = [
  answer(contactsApi.list, ({ query }, story) => pageOf(matching(story, query, query.sort), query)),
  answer(segmentsApi.list, (_, story) => ({
    items: [...segmentsOf(story.contacts.values(), story.now), ...savedSegments(story)],
  })),
  answer(segmentsApi.create, ({ body }, story) => saveSegment(story, body)),
  answer(segmentsApi.update, ({ params, body: { version, ...fields } }, story) => {
    const segment = findSegment(story, params.id)
    refuseStale('segment', segment, version)
    const { name = segment.name, filter = segment.filter } = fields
    return saveSegment(story, { ...segment, name, filter })
  }),
  answer(segmentsApi.remove, ({ params }, story) => removeSegment(story, params.id)),
  answer(attributesApi.list, (_, story) => ({ items: attributesOf(story) })),
  answer(attributesApi.create, ({ body }, story) => saveAttribute(story, body)),
  answer(attributesApi.update, ({ params, body: { version, ...fields } }, story) => {
    const attribute = findAttribute(story, params.id)
    refuseStale('field', attribute, version)
    return saveAttribute(story, fields, attribute)
  }),
  answer(attributesApi.remove, ({ params }, story) => removeAttribute(story, params.id)),
  answer(tagsApi.list, (_, story) => ({ items: tagsNow(story) })),
  answer(tagsApi.colour, ({ body: { tag, colour } }, story) => colourTag(story, tag, colour)),
  answer(contactsApi.read, ({ params }, story) => find(story, params.id)),
  answer(contactsApi.readDeleted, ({ params }, story) => {
    const contact = bin(story).get(params.id)
    if (!contact) throw refusal('not_found', 'There is no such contact.')
    return { ...contact, deletedAt: contact.updatedAt }
  }),
  answer(contactsApi.create, ({ body }, story) => {
    if (body.phone) refuseDuplicate(story, body.phone)
    return insert(story, body, 'manual')
  }),
  answer(contactsApi.update, ({ params, body: { version, ...fields } }, story) => {
    const contact = find(story, params.id)
    refuseStale('contact', contact, version)
    if (fields.phone) refuseDuplicate(story, fields.phone, contact)
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
    return touch(Object.assign(contact, given))
  }),
  answer(contactsApi.addTag, ({ params, body }, story) => {
    const contact = find(story, params.id)
    return contact.tags.includes(body.tag)
      ? contact
      : touch(Object.assign(contact, { tags: [...contact.tags, body.tag] }))
  }),
  answer(contactsApi.removeTag, ({ params, query }, story) => {
    const contact = find(story, params.id)
    if (!contact.tags.includes(query.tag)) return contact
    return touch(Object.assign(contact, { tags: contact.tags.filter((tag) => tag !== query.tag) }))
  }),
  answer(contactsApi.block, ({ params, body: { blocked } }, story) => {
    const contact = find(story, params.id)
    return contact.blocked === blocked ? contact : touch(Object.assign(contact, { blocked }))
  }),
  answer(contactsApi.bulk, ({ body: { ids, action } }, story) => ({
    ids: action.kind === 'restore' ? restore(story, ids) : change(story, selected(story, { ids }), action),
  })),
  answer(contactJobsApi.list, (_, story) => ({ items: jobsOf(story) })),
  answer(contactJobsApi.export, ({ body: { selection, format } }, story) => {
    const done = selected(story, selection).length
    return addJob(story, { task: { kind: 'export', format }, done, file: exportedFile(format, done) })
  }),
  answer(contactJobsApi.change, ({ body: { selection, action } }, story) => {
    const single = action.kind === 'delete' ? [action] : action.tags.map((tag) => singles[action.kind](tag))
    return changeAll(story, [...selected(story, selection)], action, (contacts) =>
      single.flatMap((one) => change(story, contacts, one)),
    )
  }),
  answer(contactJobsApi.renameTag, ({ body: { tag, to } }, story) => {
    refuseBuiltInTag(tag)
    const carriers = [...story.contacts.values()].filter(({ tags }) => tags.includes(tag))
    return changeAll(story, carriers, { kind: 'rename_tag', tag, to }, (contacts) =>
      contacts.map((contact) => {
        contact.tags = [...new Set(contact.tags.map((name) => (name === tag ? to : name)))]
        return touch(contact).id
      }),
    )
  }),
  answer(contactJobsApi.exportPerson, ({ params }, story) => {
    find(story, params.id)
    const file = { name: 'contact-2026-05-04.zip', sizeBytes: 4000 }
    return addJob(story, { task: { kind: 'person_export' }, done: 1, file })
  }),
  answer(contactJobsApi.erase, ({ params, body }, story) => {
    if (find(story, params.id).name !== body.name) throw refusal('validation_failed', 'Type the name as it is written.')
    story.contacts.delete(params.id)
    return addJob(story, { task: { kind: 'erase' }, done: 9 })
  }),
  answer(contactMergeApi.merge, ({ params, body: { otherId, taken, version, otherVersion } }, story) => {
    const [kept, other] = [find(story, params.id), find(story, otherId)]
    refuseStale('contact', kept, version)
    refuseStale('contact', other, otherVersion)
    return merge(story, kept, other, taken)
  }),
  answer(contactMergeApi.duplicates, ({ params }, story) => {
    const { id, name, phone } = find(story, params.id)
    const likely = [...story.contacts.values()].filter((other) => other.id !== id && other.name === name)
    const items = likely.filter((other) => (phone === undefined) !== (other.phone === undefined)).slice(0, 5)
    return { items: items.map((contact) => ({ contact, because: 'name' as const })) }
  }),
  answer(contactMergeApi.merged, ({ params }, story) => ({ items: mergedInto(story, find(story, params.id).id) })),
  answer(contactTimelineApi.read, ({ params }, story) => ({
    items: timelineOf(story, find(story, params.id)),
    nextCursor: null,
  })),
  answer(contactMergeApi.undo, ({ params, body }, story) => unmerge(story, find(story, params.id), body.otherId)),
  answer(contactJobsApi.undo, ({ params }, story) => {
    const job = jobsOf(story).find(({ id }) => id === params.id)
    if (job?.task.kind !== 'change') throw refusal('not_found', 'There is no such job.')
    undos.get(job.id)?.()
    job.canUndo = false
    return addJob(story, { task: { kind: 'undo', action: job.task.action }, done: job.changed, changed: job.changed })
  }),
]

/** A change of many and the job that it is; `work` says whom it changed. */
function changeAll(
  story: Story,
  contacts: readonly Contact[],
  action: ContactChange,
  work: (contacts: readonly Contact[]) => string[],
) {
  const before = contacts.map(({ id, tags }) => ({ id, tags: [...tags] }))
  const changed = new Set(work(contacts)).size
  const job = addJob(story, { task: { kind: 'change', action }, done: contacts.length, changed, canUndo: changed > 0 })
  undos.set(job.id, () => {
    restore(
      story,
      before.map(({ id }) => id),
    )
    for (const { id, tags } of before) touch(Object.assign(find(story, id), { tags }))
  })
  return job
}

const undos = new Map<string, () => void>()
const singles = {
  add_tags: (tag: string) => ({ kind: 'add_tag', tag }) as const,
  remove_tags: (tag: string) => ({ kind: 'remove_tag', tag }) as const,
}

type Change = { kind: 'delete' } | { kind: 'add_tag' | 'remove_tag'; tag: string }

/** @returns the ids of those that the change touched. */
function change(story: Story, contacts: readonly Contact[], action: Change): string[] {
  if (action.kind === 'delete') {
    for (const contact of contacts) {
      bin(story).set(contact.id, contact)
      story.contacts.delete(contact.id)
    }
    return contacts.map(({ id }) => id)
  }
  const adds = action.kind === 'add_tag'
  const touched = contacts.filter(({ tags }) => tags.includes(action.tag) !== adds)
  for (const contact of touched) {
    const others = contact.tags.filter((tag) => tag !== action.tag)
    contact.tags = adds ? [...others, action.tag] : others
    touch(contact)
  }
  return touched.map(({ id }) => id)
}

function restore(story: Story, wanted: readonly string[]): string[] {
  const deleted = bin(story)
  const ids = wanted.filter((id) => deleted.has(id))
  for (const id of ids) {
    const contact = deleted.get(id)
    if (contact) story.contacts.set(id, contact)
    deleted.delete(id)
  }
  return ids
}

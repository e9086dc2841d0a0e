import { attributesApi } from '@parley/contracts/contacts/contact-attributes'
import { type ContactChange, contactJobsApi } from '@parley/contracts/contacts/contact-jobs'
import { contactMergeApi } from '@parley/contracts/contacts/contact-merge'
import { contactTimelineApi } from '@parley/contracts/contacts/contact-timeline'
import { type Contact, contactsApi } from '@parley/contracts/contacts/contacts'
import { segmentsApi } from '@parley/contracts/contacts/segments'
import { tagsApi } from '@parley/contracts/contacts/tags'
import { segmentsOf } from '@parley/sample/contacts'
import type { SampleDataset } from '@parley/sample/sample-dataset'
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

function find(sampleDataset: SampleDataset, id: string): Contact {
  const contact = sampleDataset.contacts.get(id)
  if (!contact) throw refusal('not_found', 'There is no such contact.')
  return contact
}

function refuseDuplicate(sampleDataset: SampleDataset, phone: string, own?: Contact): void {
  const owner = phoneOwner(sampleDataset, phone)
  if (owner && owner !== own)
    throw new Refusal('contact_exists', `${owner.name} already has this phone number.`, {
      fields: { phone: `${owner.name} already has this phone number.` },
      existing: { id: owner.id, name: owner.name },
    })
}

export const answers = [
  answer(contactsApi.list, ({ query }, sampleDataset) => pageOf(matching(sampleDataset, query, query.sort), query)),
  answer(segmentsApi.list, (_, sampleDataset) => ({
    items: [...segmentsOf(sampleDataset.contacts.values(), sampleDataset.now), ...savedSegments(sampleDataset)],
  })),
  answer(segmentsApi.create, ({ body }, sampleDataset) => saveSegment(sampleDataset, body)),
  answer(segmentsApi.update, ({ params, body: { version, ...fields } }, sampleDataset) => {
    const segment = findSegment(sampleDataset, params.id)
    refuseStale('segment', segment, version)
    const { name = segment.name, filter = segment.filter } = fields
    return saveSegment(sampleDataset, { ...segment, name, filter })
  }),
  answer(segmentsApi.remove, ({ params }, sampleDataset) => removeSegment(sampleDataset, params.id)),
  answer(attributesApi.list, (_, sampleDataset) => ({ items: attributesOf(sampleDataset) })),
  answer(attributesApi.create, ({ body }, sampleDataset) => saveAttribute(sampleDataset, body)),
  answer(attributesApi.update, ({ params, body: { version, ...fields } }, sampleDataset) => {
    const attribute = findAttribute(sampleDataset, params.id)
    refuseStale('field', attribute, version)
    return saveAttribute(sampleDataset, fields, attribute)
  }),
  answer(attributesApi.remove, ({ params }, sampleDataset) => removeAttribute(sampleDataset, params.id)),
  answer(tagsApi.list, (_, sampleDataset) => ({ items: tagsNow(sampleDataset) })),
  answer(tagsApi.colour, ({ body: { tag, colour } }, sampleDataset) => colourTag(sampleDataset, tag, colour)),
  answer(contactsApi.read, ({ params }, sampleDataset) => find(sampleDataset, params.id)),
  answer(contactsApi.readDeleted, ({ params }, sampleDataset) => {
    const contact = bin(sampleDataset).get(params.id)
    if (!contact) throw refusal('not_found', 'There is no such contact.')
    return { ...contact, deletedAt: contact.updatedAt }
  }),
  answer(contactsApi.create, ({ body }, sampleDataset) => {
    if (body.phone) refuseDuplicate(sampleDataset, body.phone)
    return insert(sampleDataset, body, 'manual')
  }),
  answer(contactsApi.update, ({ params, body: { version, ...fields } }, sampleDataset) => {
    const contact = find(sampleDataset, params.id)
    refuseStale('contact', contact, version)
    if (fields.phone) refuseDuplicate(sampleDataset, fields.phone, contact)
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
    return touch(Object.assign(contact, given))
  }),
  answer(contactsApi.addTag, ({ params, body }, sampleDataset) => {
    const contact = find(sampleDataset, params.id)
    return contact.tags.includes(body.tag)
      ? contact
      : touch(Object.assign(contact, { tags: [...contact.tags, body.tag] }))
  }),
  answer(contactsApi.removeTag, ({ params, query }, sampleDataset) => {
    const contact = find(sampleDataset, params.id)
    if (!contact.tags.includes(query.tag)) return contact
    return touch(Object.assign(contact, { tags: contact.tags.filter((tag) => tag !== query.tag) }))
  }),
  answer(contactsApi.block, ({ params, body: { blocked } }, sampleDataset) => {
    const contact = find(sampleDataset, params.id)
    return contact.blocked === blocked ? contact : touch(Object.assign(contact, { blocked }))
  }),
  answer(contactsApi.bulk, ({ body: { ids, action } }, sampleDataset) => ({
    ids:
      action.kind === 'restore'
        ? restore(sampleDataset, ids)
        : change(sampleDataset, selected(sampleDataset, { ids }), action),
  })),
  answer(contactJobsApi.list, (_, sampleDataset) => ({ items: jobsOf(sampleDataset) })),
  answer(contactJobsApi.export, ({ body: { selection, format } }, sampleDataset) => {
    const done = selected(sampleDataset, selection).length
    return addJob(sampleDataset, { task: { kind: 'export', format }, done, file: exportedFile(format, done) })
  }),
  answer(contactJobsApi.change, ({ body: { selection, action } }, sampleDataset) => {
    const single = action.kind === 'delete' ? [action] : action.tags.map((tag) => singles[action.kind](tag))
    return changeAll(sampleDataset, [...selected(sampleDataset, selection)], action, (contacts) =>
      single.flatMap((one) => change(sampleDataset, contacts, one)),
    )
  }),
  answer(contactJobsApi.renameTag, ({ body: { tag, to } }, sampleDataset) => {
    refuseBuiltInTag(tag)
    const carriers = [...sampleDataset.contacts.values()].filter(({ tags }) => tags.includes(tag))
    return changeAll(sampleDataset, carriers, { kind: 'rename_tag', tag, to }, (contacts) =>
      contacts.map((contact) => {
        contact.tags = [...new Set(contact.tags.map((name) => (name === tag ? to : name)))]
        return touch(contact).id
      }),
    )
  }),
  answer(contactJobsApi.exportPerson, ({ params }, sampleDataset) => {
    find(sampleDataset, params.id)
    const file = { name: 'contact-2026-05-04.zip', sizeBytes: 4000 }
    return addJob(sampleDataset, { task: { kind: 'person_export' }, done: 1, file })
  }),
  answer(contactJobsApi.erase, ({ params, body }, sampleDataset) => {
    if (find(sampleDataset, params.id).name !== body.name)
      throw refusal('validation_failed', 'Type the name as it is written.')
    sampleDataset.contacts.delete(params.id)
    return addJob(sampleDataset, { task: { kind: 'erase' }, done: 9 })
  }),
  answer(contactMergeApi.merge, ({ params, body: { otherId, taken, version, otherVersion } }, sampleDataset) => {
    const [kept, other] = [find(sampleDataset, params.id), find(sampleDataset, otherId)]
    refuseStale('contact', kept, version)
    refuseStale('contact', other, otherVersion)
    return merge(sampleDataset, kept, other, taken)
  }),
  answer(contactMergeApi.duplicates, ({ params }, sampleDataset) => {
    const { id, name, phone } = find(sampleDataset, params.id)
    const likely = [...sampleDataset.contacts.values()].filter((other) => other.id !== id && other.name === name)
    const items = likely.filter((other) => (phone === undefined) !== (other.phone === undefined)).slice(0, 5)
    return { items: items.map((contact) => ({ contact, because: 'name' as const })) }
  }),
  answer(contactMergeApi.merged, ({ params }, sampleDataset) => ({
    items: mergedInto(sampleDataset, find(sampleDataset, params.id).id),
  })),
  answer(contactTimelineApi.read, ({ params }, sampleDataset) => ({
    items: timelineOf(sampleDataset, find(sampleDataset, params.id)),
    nextCursor: null,
  })),
  answer(contactMergeApi.undo, ({ params, body }, sampleDataset) =>
    unmerge(sampleDataset, find(sampleDataset, params.id), body.otherId),
  ),
  answer(contactJobsApi.undo, ({ params }, sampleDataset) => {
    const job = jobsOf(sampleDataset).find(({ id }) => id === params.id)
    if (job?.task.kind !== 'change') throw refusal('not_found', 'There is no such job.')
    undos.get(job.id)?.()
    job.canUndo = false
    return addJob(sampleDataset, {
      task: { kind: 'undo', action: job.task.action },
      done: job.changed,
      changed: job.changed,
    })
  }),
]

/** A change of many and the job that it is; `work` says whom it changed. */
function changeAll(
  sampleDataset: SampleDataset,
  contacts: readonly Contact[],
  action: ContactChange,
  work: (contacts: readonly Contact[]) => string[],
) {
  const before = contacts.map(({ id, tags }) => ({ id, tags: [...tags] }))
  const changed = new Set(work(contacts)).size
  const job = addJob(sampleDataset, {
    task: { kind: 'change', action },
    done: contacts.length,
    changed,
    canUndo: changed > 0,
  })
  undos.set(job.id, () => {
    restore(
      sampleDataset,
      before.map(({ id }) => id),
    )
    for (const { id, tags } of before) touch(Object.assign(find(sampleDataset, id), { tags }))
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
function change(sampleDataset: SampleDataset, contacts: readonly Contact[], action: Change): string[] {
  if (action.kind === 'delete') {
    for (const contact of contacts) {
      bin(sampleDataset).set(contact.id, contact)
      sampleDataset.contacts.delete(contact.id)
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

function restore(sampleDataset: SampleDataset, wanted: readonly string[]): string[] {
  const deleted = bin(sampleDataset)
  const ids = wanted.filter((id) => deleted.has(id))
  for (const id of ids) {
    const contact = deleted.get(id)
    if (contact) sampleDataset.contacts.set(id, contact)
    deleted.delete(id)
  }
  return ids
}

import { contactJobsApi } from '@parley/contracts/contacts/contact-job-endpoints'
import type { ContactChange, ContactJob } from '@parley/contracts/contacts/contact-jobs'
import { contactMergeApi, type MergedContact, mergedContact } from '@parley/contracts/contacts/contact-merge'
import { contactTimelineApi } from '@parley/contracts/contacts/contact-timeline'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { builtInSegments } from '@parley/contracts/contacts/segments'
import type { EndpointInput } from '@parley/contracts/core/endpoint'
import { answer } from '../answer.ts'
import { refusal, refuseStale } from '../refusal.ts'
import { changeContacts, findContacts } from './contacts.ts'
import { change, find, insert, now, remove, type Workspace } from './workspace.ts'

/** A job over contacts, which runs and is half done unless told. */
export const contactJob = (fields: Partial<ContactJob> = {}): ContactJob => ({
  id: 'job-1',
  task: { kind: 'export', format: 'csv' },
  state: 'running',
  total: 8000,
  done: 2000,
  changed: 0,
  kept: 0,
  canUndo: false,
  file: null,
  problem: null,
  startedBy: 'ann',
  createdAt: '2026-11-22T10:00:00.000Z',
  expiresAt: '2026-11-29T10:00:00.000Z',
  ...fields,
})

/** Adds a job that has been done as soon as it is asked for. */
export function addJob(
  { jobs }: Workspace,
  fields: Pick<ContactJob, 'task' | 'done'> & Partial<ContactJob>,
): ContactJob {
  const job = contactJob({ ...fields, id: `contact-job-${jobs.length + 1}`, state: 'done', total: fields.done })
  jobs.unshift(job)
  return job
}

/** Handles work over many contacts, and the merging of duplicates. */
export function contactJobHandlers(workspace: Workspace) {
  const { contacts, deletedContacts, jobs } = workspace
  const undos = new Map<string, () => void>()
  const merges = new Map<string, { before: Contact; other: Contact; merged: MergedContact }[]>()
  const selected = (selection: EndpointInput<typeof contactJobsApi.change>['body']['selection']): string[] =>
    'ids' in selection ? selection.ids : findContacts(workspace, selection.filter).map(({ id }) => id)

  function changeAll(ids: readonly string[], action: ContactChange, work: () => string[]): ContactJob {
    const before = ids.map((id) => find(contacts, id))
    const changed = new Set(work()).size
    const job = addJob(workspace, { task: { kind: 'change', action }, done: ids.length, changed, canUndo: changed > 0 })
    undos.set(job.id, () => {
      for (const contact of before) {
        deletedContacts.delete(contact.id)
        insert(contacts, contact)
      }
    })
    return job
  }

  return [
    answer(contactJobsApi.list, () => ({ items: jobs.filter(({ task }) => task.kind !== 'chat_export') })),
    answer(contactJobsApi.export, ({ body: { selection, format } }) => {
      const file = { name: `contacts.${format}`, sizeBytes: 4000 }
      return addJob(workspace, { task: { kind: 'export', format }, done: selected(selection).length, file })
    }),
    answer(contactJobsApi.change, ({ body: { selection, action } }) => {
      const ids = selected(selection)
      if (action.kind === 'delete') return changeAll(ids, action, () => changeContacts(workspace, ids, action))
      const kind = action.kind === 'add_tags' ? 'add_tag' : 'remove_tag'
      return changeAll(ids, action, () => action.tags.flatMap((tag) => changeContacts(workspace, ids, { kind, tag })))
    }),
    answer(contactJobsApi.renameTag, ({ body: { tag, to } }) => {
      const segment = builtInSegments.find(({ filter }) => JSON.stringify(filter).includes(`"${tag}"`))
      if (segment) throw refusal('tag_in_use', `${segment.name} is a segment of every workspace.`)
      const ids = [...contacts.values()].flatMap(({ id, tags }) => (tags.includes(tag) ? id : []))
      return changeAll(ids, { kind: 'rename_tag', tag, to }, () => {
        changeContacts(workspace, ids, { kind: 'add_tag', tag: to })
        return changeContacts(workspace, ids, { kind: 'remove_tag', tag })
      })
    }),
    answer(contactJobsApi.undo, ({ params }) => {
      const job = jobs.find(({ id }) => id === params.id)
      if (job?.task.kind !== 'change') throw refusal('not_found', 'There is no such job.')
      undos.get(job.id)?.()
      const { task, changed } = job
      return addJob(workspace, { task: { kind: 'undo', action: task.action }, done: changed, changed })
    }),
    answer(contactJobsApi.erase, ({ params, body }) => {
      if (find(contacts, params.id).name !== body.name)
        throw refusal('validation_failed', 'Type the name as it is written.')
      remove(contacts, params.id)
      return addJob(workspace, { task: { kind: 'erase' }, done: 9 })
    }),
    answer(contactJobsApi.exportChat, ({ params, body: { format } }) => {
      const file = { name: 'WhatsApp chat.txt', sizeBytes: 80 }
      return addJob(workspace, { task: { kind: 'chat_export', format, conversationId: params.id }, done: 1, file })
    }),
    answer(contactJobsApi.chatExports, ({ params }) => ({
      items: jobs.filter(({ task }) => task.kind === 'chat_export' && task.conversationId === params.id),
    })),

    answer(contactMergeApi.suggestions, () => ({ items: [], next: null })),
    answer(contactMergeApi.mergeMany, ({ body: { pairs } }) =>
      addJob(workspace, { task: { kind: 'merge' }, done: pairs.length, changed: pairs.length }),
    ),
    answer(contactMergeApi.duplicates, () => ({ items: [] })),
    answer(contactMergeApi.merged, ({ params }) => ({
      items: merges.get(params.id)?.map(({ merged }) => merged) ?? [],
    })),
    answer(contactMergeApi.merge, ({ params: { id }, body: { otherId, taken, version, otherVersion } }) => {
      const [before, other] = [find(contacts, id), find(contacts, otherId)]
      refuseStale('contact', other, otherVersion)
      const merged = { id: otherId, name: other.name, at: now(), memberId: 'member-1', undoUntil: now() }
      const kept = change(contacts, id, mergedContact(before, other, taken), version)
      remove(contacts, otherId)
      merges.set(id, [{ before, other, merged }, ...(merges.get(id) ?? [])])
      return kept
    }),
    answer(contactMergeApi.undo, ({ params: { id }, body: { otherId } }) => {
      const [latest, ...earlier] = merges.get(id) ?? []
      if (latest?.other.id !== otherId) throw refusal('not_found', 'There is no such merge.')
      merges.set(id, earlier)
      insert(contacts, latest.other)
      return change(contacts, id, latest.before)
    }),
    answer(contactTimelineApi.read, ({ params }) => {
      const { source, createdAt: at } = find(contacts, params.id)
      return { items: [{ id: 'added-1', kind: 'added' as const, source, at }], nextCursor: null }
    }),
  ]
}

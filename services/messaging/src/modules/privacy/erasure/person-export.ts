import { PassThrough, pipeline, Readable } from 'node:stream'
import type { JobRecord } from '@parley/service-kit/data/job-record'
import type { JobRecords, JobReference } from '@parley/service-kit/data/job-records'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { type JobStep, runJob } from '@parley/service-kit/data/run-job'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { createMediaFiles } from '@parley/service-kit/media/media-files'
import { ZipFile } from 'yazl'
import { createPersonRows } from '../../campaigns/recipients/person-rows.ts'
import type { NumbersService } from '../../channel/numbers/numbers.service.ts'
import type { ConsentService } from '../../contacts/consent/consent.service.ts'
import { toContact } from '../../contacts/contact-fields.ts'
import type { ContactRecord, ContactsRepository } from '../../contacts/contacts.service.ts'
import { isErasable } from '../../contacts/jobs/begin-erasure.ts'
import { emitJobChanged } from '../../contacts/jobs/begin-job.ts'
import { leaseMs, maxExportBytes } from '../../contacts/jobs/export-runner.ts'
import { inPieces } from '../../contacts/jobs/in-pieces.ts'
import { personExportKind, personInputSchema } from '../../contacts/jobs/job-inputs.ts'
import { createPersonConversations } from '../../inbox/conversations/person-conversations.ts'
import { mediaOf } from '../../inbox/messages/message-files.ts'
import { createPersonMessages } from '../../inbox/messages/person-messages.ts'
import type { RatingsRepository } from '../../inbox/ratings/ratings.service.ts'
import { fileEnding } from '../../media/file-ending.ts'

interface Dependencies {
  readonly mongo: ServiceConnection
  readonly jobs: JobRecords
  readonly contacts: Pick<ContactsRepository, 'read' | 'mergedIds'>
  readonly consent: Pick<ConsentService, 'entriesOf'>
  readonly numbers: Pick<NumbersService, 'allIds'>
  readonly ratingRecords: Pick<RatingsRepository, 'ofContact'>
  readonly wakeEvents: (workspaceId: string) => void
}

/** Exports one person in a worker: one ZIP file of JSON and media, written while it is read. */
export function createPersonExport({
  mongo,
  jobs,
  contacts,
  consent,
  numbers,
  ratingRecords,
  wakeEvents,
}: Dependencies) {
  const people = createPersonConversations(mongo)
  const messages = createPersonMessages(mongo)
  const { shownOf } = createPersonRows(mongo)
  const media = createMediaFiles(mongo)
  const files = createMediaFiles(mongo, 'exportFiles')

  async function step(job: JobRecord): Promise<JobStep> {
    const { contactId } = personInputSchema.parse(job.input)
    const contact = await contacts.read(job, contactId)
    const write: JobStep['write'] = async (tx) => emitJobChanged(job, tx)
    if (!isErasable(contact)) return { checkpoint: null, result: { problem: 'This contact was erased.' }, write }
    const file = await files.save(job, {
      content: await zipOf(job, contact),
      accept: 'any',
      limitBytes: maxExportBytes,
    })
    const result = { fileId: file.id, sizeBytes: file.sizeBytes }
    return { checkpoint: null, total: 1, done: 1, result, write, discard: () => files.remove(job, file.id) }
  }

  async function zipOf(scope: WorkspaceScope, contact: ContactRecord): Promise<Readable> {
    // Contacts that were merged into this one are the same person.
    const mergedIds = await contacts.mergedIds(scope, contact.id)
    // Messages still move from their threads into the kept one's: read last, it misses none.
    const numberIds = await numbers.allIds(scope)
    const threads = await Promise.all([...mergedIds, contact.id].map((id) => people.idsOf(scope, id, numberIds)))
    const conversationIds = threads.flat()
    const zip = new ZipFile()
    const output = new PassThrough()
    pipeline(zip.outputStream, output, () => undefined)
    const add = (name: string, items: AsyncIterable<object>) =>
      zip.addReadStreamLazy(name, {}, (done) => {
        const content = Readable.from(inPieces(listOf(items)), { objectMode: false })
        // Content that breaks off makes no file.
        content.on('error', (error) => output.destroy(error))
        done(null, content)
      })
    const shown = { ...toContact(contact), ...(contact.former && { former: contact.former }) }
    zip.addBuffer(Buffer.from(JSON.stringify(shown, null, 2)), 'contact.json')
    const ids = [contact.id, ...mergedIds]
    add(
      'consent.json',
      ofAll(ids, (id) => consent.entriesOf(scope, id)),
    )
    add(
      'campaigns.json',
      ofAll(ids, (id) => shownOf(scope, id)),
    )
    add(
      'ratings.json',
      ofAll(ids, (id) => shownRatings(ratingRecords.ofContact(scope, id))),
    )
    add('messages.json', messagesOf(scope, conversationIds))
    for (const id of await mediaIdsOf(scope, conversationIds)) {
      const found = await media.read(scope, id)
      if (!found) continue
      zip.addReadStreamLazy(`media/${id}${fileEnding(found.media.type)}`, {}, (done) => {
        const content = found.open()
        content.on('error', (error) => output.destroy(error))
        done(null, content)
      })
    }
    zip.end()
    return output
  }

  /** Reads thread after thread, in this order. */
  const allOf = (scope: WorkspaceScope, conversationIds: readonly string[]) =>
    ofAll(conversationIds, (id) => messages.all(scope, [id]))

  async function* messagesOf(scope: WorkspaceScope, conversationIds: readonly string[]) {
    for await (const message of allOf(scope, conversationIds)) {
      const { id, conversationId, direction, content, status, statusAt, reactions, sentAt } = message
      yield { id, conversationId, direction, content, status, statusAt, reactions, sentAt }
    }
  }

  async function mediaIdsOf(scope: WorkspaceScope, conversationIds: readonly string[]): Promise<Set<string>> {
    const ids = new Set<string>()
    for await (const message of allOf(scope, conversationIds)) for (const id of mediaOf(message)) ids.add(id)
    return ids
  }

  return {
    [personExportKind]: async (reference: JobReference): Promise<void> => {
      const onProgress = () => wakeEvents(reference.workspaceId)
      await runJob(jobs, reference, step, { leaseMs, onProgress })
    },
  }
}

async function* shownRatings(ratings: ReturnType<RatingsRepository['ofContact']>) {
  for await (const { conversationId, askedAt, ratedAt, score, comment } of ratings)
    yield { conversationId, askedAt, ratedAt, score, comment }
}

async function* ofAll<T extends object>(
  ids: readonly string[],
  read: (id: string) => AsyncIterable<T>,
): AsyncGenerator<T> {
  for (const id of ids) yield* read(id)
}

async function* listOf(items: AsyncIterable<object>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const item of items) {
    yield before + JSON.stringify(item)
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

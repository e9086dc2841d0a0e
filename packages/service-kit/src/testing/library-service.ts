import { defineEndpoint } from '@parley/contracts/core/endpoint'
import { byId } from '@parley/contracts/core/records'
import type { Redis } from 'ioredis'
import { Schema } from 'mongoose'
import { z } from 'zod'
import { errors } from '../core/errors.ts'
import type { SessionOption } from '../data/collection-types.ts'
import { consume, dueWorkspaces } from '../data/consume.ts'
import { createEventPublisher, createEventStream } from '../data/event-stream.ts'
import type { ServiceConnection } from '../data/mongo.ts'
import { workspaceCollection } from '../data/scoped-collection.ts'
import { createSequencer } from '../data/sequencer.ts'
import { inTransaction } from '../data/transaction.ts'
import { updateVersion } from '../data/versioned.ts'
import type { UserContext } from '../http/context.ts'
import type { MediaStore } from '../media/media-store.ts'
import { laneOf } from '../queue/lanes.ts'
import type { Queues } from '../queue/queues.ts'

const bookSchema = z.object({
  id: z.string(),
  title: z.string(),
  version: z.number(),
  /** Counted by the worker. */
  words: z.number().nullable(),
  coverId: z.string().nullable(),
})
type Book = z.infer<typeof bookSchema>
const title = z.string().trim().min(1).max(200)
const session = { access: 'session', status: 200, errors: [] } as const

/** An imaginary domain on all parts of the kit: records, uploads, work in the background, events. */
export const libraryApi = {
  add: defineEndpoint({
    ...session,
    operation: 'books.add',
    method: 'POST',
    path: '/api/books',
    permission: 'contacts:write',
    summary: 'A new book.',
    body: z.object({ title }),
    response: bookSchema,
  }),
  read: defineEndpoint({
    ...session,
    operation: 'books.read',
    method: 'GET',
    path: '/api/books/:id',
    permission: 'contacts:read',
    summary: 'One book.',
    params: byId,
    response: bookSchema,
  }),
  rename: defineEndpoint({
    ...session,
    operation: 'books.rename',
    method: 'PATCH',
    path: '/api/books/:id',
    permission: 'contacts:write',
    summary: 'Another title.',
    params: byId,
    body: z.object({ title, version: z.number() }),
    response: bookSchema,
  }),
  setCover: defineEndpoint({
    ...session,
    operation: 'books.setCover',
    method: 'PUT',
    path: '/api/books/:id/cover',
    permission: 'contacts:write',
    summary: 'The image of a book.',
    params: byId,
    bodyType: 'stream',
    bodyLimitBytes: 1_000_000,
    response: bookSchema,
  }),
  cover: defineEndpoint({
    ...session,
    operation: 'books.cover',
    method: 'GET',
    path: '/api/books/:id/cover',
    permission: 'contacts:read',
    summary: 'The image of a book.',
    params: byId,
    responseType: 'stream',
  }),
  events: defineEndpoint({
    ...session,
    operation: 'books.events',
    method: 'GET',
    path: '/api/events',
    permission: 'member',
    summary: 'What happens to books.',
    responseType: 'events',
  }),
}

const schema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    title: { type: String, required: true, maxlength: 200 },
    words: { type: Number, default: null },
    coverId: { type: String, default: null },
    version: Number,
  },
  { versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
const consumer = 'library'

interface Deps {
  readonly mongo: ServiceConnection
  readonly media: MediaStore
  readonly queues: Pick<Queues, 'lanes'>
  readonly redis: Redis
}

export function createLibrary({ mongo, media, queues, redis }: Deps) {
  const stream = createEventStream({ connection: mongo, redis })
  const books = workspaceCollection<Book>({ connection: mongo, name: 'books', schema })

  async function find(ctx: UserContext, id: string): Promise<Book> {
    const book = await books(ctx).findOne({ _id: id })
    if (!book) throw errors.notFound('There is no such book.')
    return book
  }

  /** A change, its event, and, after the commit, the wake-up. */
  async function change(ctx: UserContext, write: (tx: SessionOption) => Promise<Book | null>): Promise<Book | null> {
    const changed = await inTransaction(mongo, async (tx) => {
      const book = await write({ session: tx.session })
      // The catalogue of events is closed: the library borrows the one of members.
      if (book)
        tx.emit({
          workspaceId: ctx.workspaceId,
          type: 'member.changed',
          recordId: book.id,
          version: book.version,
          by: { kind: 'user', id: ctx.userId },
          data: { memberId: book.id, userId: ctx.userId, role: ctx.role, status: 'active', version: book.version },
        })
      return book
    })
    await queues.lanes('events').wake([laneOf(ctx.workspaceId)])
    return changed
  }

  return {
    find,
    add: async (ctx: UserContext, input: { title: string }) => {
      const book = await change(ctx, (tx) => books(ctx).create(input, tx))
      if (!book) throw errors.internal()
      return book
    },
    rename: async (ctx: UserContext, id: string, { title: newTitle, version }: { title: string; version: number }) => {
      const update = { $set: { title: newTitle } }
      const renamed = await change(ctx, (tx) =>
        updateVersion(books(ctx), { id, version, update, toAnswer: bookSchema.parse }, tx),
      )
      return renamed ?? find(ctx, id)
    },
    setCover: async (ctx: UserContext, id: string, content: Parameters<MediaStore['save']>[1]['content']) => {
      await find(ctx, id)
      const stored = await media.save(ctx, { content, accept: ['image/png'], limitBytes: 1_000_000 })
      const changed = await change(ctx, (tx) =>
        books(ctx).findOneAndUpdate({ _id: id }, { $set: { coverId: stored.id } }, tx),
      )
      return changed ?? find(ctx, id)
    },
    cover: async (ctx: UserContext, id: string) => {
      const { coverId } = await find(ctx, id)
      const file = await media.read(ctx, coverId ?? '')
      if (!file) throw errors.notFound('This book has no cover.')
      const { type, sizeBytes, sha256 } = file.media
      return { type, sizeBytes, etag: sha256, open: file.open, disposition: 'inline' as const }
    },
    events: (ctx: UserContext, lastEventId: string | undefined, signal: AbortSignal) =>
      stream.open({
        workspaceId: ctx.workspaceId,
        after: lastEventId === undefined ? undefined : Number(lastEventId),
        signal,
      }),
    close: stream.close,
  }
}

/** Numbers events and counts the words of what has changed: exactly once for each event, with the cursor's transaction. */
export function workOnLibrary({ mongo, queues, redis }: Omit<Deps, 'media' | 'queues'> & { queues: Queues }): void {
  const books = workspaceCollection<Book>({ connection: mongo, name: 'books', schema })
  const sequencer = createSequencer({
    connection: mongo,
    consumers: [{ consumer }],
    publish: createEventPublisher(redis).publish,
  })

  async function countLabels(workspaceId: string): Promise<void> {
    await consume({
      connection: mongo,
      consumer,
      workspaceId,
      handle: async (events, { session }) => {
        for (const { recordId = '' } of events) {
          const book = await books({ workspaceId }).findOne({ _id: recordId }, { session })
          const words = book?.title.split(/\s+/).length ?? 0
          await books({ workspaceId }).updateOne(
            { _id: recordId, words: { $ne: words } },
            { $set: { words } },
            { session },
          )
        }
      },
    })
  }
  const due = async () => (await dueWorkspaces(mongo, [consumer])).map(({ workspaceId }) => workspaceId)
  queues.workLanes('events', {
    drain: async (lane) => {
      await sequencer.sweep()
      for (const workspaceId of await due()) if (laneOf(workspaceId) === lane) await countLabels(workspaceId)
      return false
    },
    pendingLanes: async () => {
      await sequencer.sweep()
      return (await due()).map(laneOf)
    },
    sweepMs: 200,
  })
}

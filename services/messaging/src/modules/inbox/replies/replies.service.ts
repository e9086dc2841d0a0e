import type { EndpointInput } from '@parley/contracts/core/endpoint'
import type { PageOf } from '@parley/contracts/core/records'
import type { NewSavedReply, repliesApi, SavedReply } from '@parley/contracts/inbox/replies'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ReplyRecord } from './replies.model.ts'
import type { RepliesRepository } from './replies.repository.ts'

type Input<K extends 'list' | 'update'> = EndpointInput<(typeof repliesApi)[K]>

/** Answers that are written often, kept for the whole workspace. */
export function createRepliesService({ replies, cursors }: { replies: RepliesRepository; cursors: PageCursors }) {
  async function list(
    scope: WorkspaceScope,
    { q, limit, cursor }: Input<'list'>['query'],
  ): Promise<PageOf<SavedReply>> {
    const found = q ? new RegExp(q.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`), 'i') : undefined
    const page = await replies.page(scope, { found, cursors, limit, cursor })
    return { ...page, items: page.items.map(toReply) }
  }

  /** @throws `reply_exists`. */
  async function create(scope: WorkspaceScope, reply: NewSavedReply): Promise<SavedReply> {
    return toReply(await replies.create(scope, reply).catch(refuseTaken(reply.shortcut)))
  }

  /** @throws `not_found`, `reply_exists`, `stale_version`. */
  async function update(scope: WorkspaceScope, id: string, { version, shortcut, text }: Input<'update'>['body']) {
    const fields = { ...(shortcut !== undefined && { shortcut }), ...(text !== undefined && { text }) }
    return toReply(await replies.update(scope, { id, version, fields, toAnswer: toReply }).catch(refuseTaken(shortcut)))
  }

  /** @throws `not_found`. */
  async function remove(scope: WorkspaceScope, id: string): Promise<void> {
    if (!(await replies.remove(scope, id))) throw errors.notFound('There is no such reply.')
  }

  return { list, create, update, remove }
}

const refuseTaken = (shortcut: string | undefined) => (error: unknown) => {
  if (isDuplicateKey(error)) throw new AppError('reply_exists', `There is a reply with /${shortcut} already.`)
  throw error
}

const toReply = ({ id, shortcut, text, version, createdAt, updatedAt }: ReplyRecord): SavedReply => ({
  id,
  shortcut,
  text,
  version,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

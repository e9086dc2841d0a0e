import type { EndpointInput } from '@parley/contracts/core/endpoint'
import type { PageOf } from '@parley/contracts/core/records'
import {
  type NewSavedReply,
  type ReplyFile,
  type repliesApi,
  replyTextProblem,
  type SavedReply,
} from '@parley/contracts/inbox/replies'
import { AppError, errors } from '@parley/service-kit/core/errors'
import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import { isDuplicateKey } from '@parley/service-kit/data/mongo'
import type { PageCursors } from '@parley/service-kit/data/page-cursor'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { plainFileName } from '../../../whatsapp/file-name.ts'
import type { MediaService } from '../../media/media.service.ts'
import { outgoingContent } from '../messages/outgoing-content.ts'
import type { ReplyRecord } from './replies.model.ts'
import type { RepliesRepository } from './replies.repository.ts'

type NewFile = NonNullable<NewSavedReply['file']>
type Input<K extends 'list' | 'update'> = EndpointInput<(typeof repliesApi)[K]>

interface Dependencies {
  readonly replies: RepliesRepository
  readonly cursors: PageCursors
  readonly media: Pick<MediaService, 'take'>
  readonly releasedFiles: { readonly note: (scope: WorkspaceScope, mediaId: string) => Promise<void> }
}

/** Answers that are written often, kept for the whole workspace. */
export function createRepliesService({ replies, cursors, media, releasedFiles }: Dependencies) {
  async function list(
    scope: WorkspaceScope,
    { q, limit, cursor }: Input<'list'>['query'],
  ): Promise<PageOf<SavedReply>> {
    const found = q ? new RegExp(q.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`), 'i') : undefined
    const page = await replies.page(scope, { found, cursors, limit, cursor })
    return { ...page, items: page.items.map(toReply) }
  }

  /** @throws `reply_exists`, `validation_failed` for a file that is not there. */
  async function create(scope: WorkspaceScope, { file, ...reply }: NewSavedReply): Promise<SavedReply> {
    const fields = { ...reply, ...(file && { file: await described(scope, file) }) }
    return toReply(await replies.create(scope, fields).catch(refuseTaken(reply.shortcut)))
  }

  /** @throws `not_found`, `reply_exists`, `stale_version`, `validation_failed`. */
  async function update(scope: WorkspaceScope, id: string, { version, ...changes }: Input<'update'>['body']) {
    const before = await read(scope, id)
    const { shortcut, text, file } = changes
    const problem = replyTextProblem(text ?? before.text, file === undefined ? before.file : file)
    if (problem !== undefined) throw errors.validation({ text: problem })
    const fields = {
      ...(shortcut !== undefined && { shortcut }),
      ...(text !== undefined && { text }),
      ...(file !== undefined && { file: file && (await described(scope, file)) }),
    }
    const change = { id, version, fields, toAnswer: toReply }
    if (before.file && file !== undefined && before.file.mediaId !== file?.mediaId)
      await releasedFiles.note(scope, before.file.mediaId)
    return toReply(await replies.update(scope, change).catch(refuseTaken(shortcut)))
  }

  /** @throws `not_found`. */
  async function remove(scope: WorkspaceScope, id: string): Promise<void> {
    const { file } = await read(scope, id)
    if (file) await releasedFiles.note(scope, file.mediaId)
    if (!(await replies.remove(scope, id))) throw noSuchReply()
  }

  async function read(scope: WorkspaceScope, id: string): Promise<ReplyRecord> {
    const record = isId(id) ? await replies.read(scope, id) : null
    if (!record) throw noSuchReply()
    return record
  }

  /** Checks that a file can be sent as this kind, as a message with it would. @throws `validation_failed`. */
  async function described(scope: WorkspaceScope, { mediaId, kind, fileName }: NewFile): Promise<ReplyFile> {
    const found = await media.take(scope, mediaId)
    await outgoingContent({ type: kind, mediaId }, async () => found)
    if (!found) throw errors.internal()
    const { type: mimeType, sizeBytes, widthPx: width, heightPx: height } = found
    const name = plainFileName(fileName)
    return omitUndefined({ mediaId, kind, fileName: name, mimeType, sizeBytes, width, height })
  }

  return { list, create, update, remove }
}

const noSuchReply = () => errors.notFound('There is no such reply.')

const refuseTaken = (shortcut: string | undefined) => (error: unknown) => {
  if (isDuplicateKey(error)) throw new AppError('reply_exists', `There is a reply with /${shortcut} already.`)
  throw error
}

const toReply = ({ id, shortcut, text, file, version, createdAt, updatedAt }: ReplyRecord): SavedReply => ({
  id,
  shortcut,
  text,
  ...(file && { file }),
  version,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

import { AppError } from '@parley/service-kit/core/errors'
import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import { GraphCallFailed } from '../../../whatsapp/graph-answer.ts'
import type { NumbersService } from '../../channel/numbers/numbers.service.ts'
import { fileEnding } from '../../media/file-ending.ts'
import type { MediaService } from '../../media/media.service.ts'
import type { MessageRecord, MessagesRepository, MessagesService } from './messages.service.ts'

/** The largest file that the platform passes on. */
const limitBytes = 100 * 1024 * 1024
const maxTries = 7
/** Code of an unknown object: the platform keeps the files of customers for 7 days. */
const gone = new Set([100, 33, 131052])

interface Dependencies {
  readonly messageRecords: Pick<MessagesRepository, 'mediaDue' | 'read'>
  readonly messages: Pick<MessagesService, 'change'>
  readonly media: Pick<MediaService, 'save'>
  readonly numbers: Pick<NumbersService, 'access'>
  readonly transaction: RunInTransaction
}

/** Fetches the files of customers' messages from the platform, before it deletes them. */
export function createMediaFetching({ messageRecords, messages, media, numbers, transaction }: Dependencies) {
  /** @throws where it has to be tried again. */
  async function fetchFor({ id, workspaceId }: JobRecord): Promise<void> {
    const scope = { workspaceId }
    const message = await messageRecords.read(scope, id)
    const waMediaId = message?.content['waMediaId']
    if (message?.mediaFetch === undefined || typeof waMediaId !== 'string') return
    try {
      const stored = await download(scope, message, waMediaId)
      await note(scope, message, stored && { ...stored, state: undefined })
    } catch (error) {
      const code = error instanceof GraphCallFailed ? error.refusal?.code : undefined
      if (code !== undefined && gone.has(code)) return note(scope, message, { state: 'expired' })
      // The next try would find the same file.
      if (error instanceof AppError && error.code === 'body_too_large') return note(scope, message)
      if ((message.mediaFetch.tries ?? 0) + 1 >= maxTries) return note(scope, message, { state: 'failed' })
      await countTry(scope, message)
      throw error
    }
  }

  async function download(scope: WorkspaceScope, message: MessageRecord, waMediaId: string) {
    const access = await numbers.access(scope, message.numberId)
    if (!access) return undefined
    const { graph, phoneNumberId, accessToken } = access
    // The address is asked for at each try: it lives for five minutes.
    const { url, mime_type: mimeType } = await graph.describeMedia(waMediaId, phoneNumberId, { accessToken })
    const content = await graph.downloadMedia(url, { accessToken })
    const {
      id: mediaId,
      type,
      sizeBytes,
      widthPx,
      heightPx,
    } = await media.save(scope, { content, accept: 'any', limitBytes })
    return {
      mediaId,
      sizeBytes,
      mimeType: type === 'application/octet-stream' ? mimeType : type,
      ...(widthPx !== undefined && heightPx !== undefined && { width: widthPx, height: heightPx }),
      ...(isPicture(message.content.type) && !type.startsWith('image/') && asFile(message.content, mimeType)),
    }
  }

  /** Writes what became of it; `undefined`: the number is gone, and with it the way to the file. */
  async function note(
    scope: WorkspaceScope,
    message: MessageRecord,
    fields: object = { state: 'failed' },
  ): Promise<void> {
    const content = omitUndefined({ ...message.content, ...fields })
    await change(scope, message, { set: { content }, unset: ['mediaFetch'] })
  }

  const countTry = (scope: WorkspaceScope, message: MessageRecord) =>
    change(scope, message, { set: { mediaFetch: { state: 'due', tries: (message.mediaFetch?.tries ?? 0) + 1 } } })

  const change = (
    scope: WorkspaceScope,
    { id, version, conversationId, status: from }: MessageRecord,
    { set, unset = [] }: { set: Record<string, unknown>; unset?: readonly string[] },
  ) => transaction((tx) => messages.change(scope, [{ id, version, conversationId, from, set, unset }], tx))

  return { fetchFor, due: messageRecords.mediaDue }
}

const isPicture = (type: string): boolean => type === 'image' || type === 'sticker'

/** A picture that cannot be shown, broken or too large, is a file to download. */
const asFile = ({ type }: MessageRecord['content'], mimeType: string) => ({
  type: 'document',
  fileName: `${type}${fileEnding(mimeType)}`,
})

import type { Clock } from '@parley/service-kit/core/clock'
import { AppError } from '@parley/service-kit/core/errors'
import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import { Secret } from '@parley/service-kit/core/secret-box'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction } from '@parley/service-kit/data/transaction'
import type { JobRecord } from '@parley/service-kit/queue/jobs'
import { isNoAccess, isTokenCode, isUnknownFile } from '../../../whatsapp/error-codes.ts'
import { GraphCallFailed, type GraphRefusal } from '../../../whatsapp/graph-answer.ts'
import { nextTry, usualPauseMs } from '../../../whatsapp/next-try.ts'
import { numberCalls } from '../../../whatsapp/number-calls.ts'
import type { NumbersService } from '../../channel/numbers/numbers.service.ts'
import { fileEnding } from '../../media/file-ending.ts'
import type { MediaService } from '../../media/media.service.ts'
import type { MessageRecord, MessagesRepository, MessagesService } from './messages.service.ts'

/** The largest file that the platform passes on. */
const limitBytes = 100 * 1024 * 1024
/** Maximum tries that WhatsApp refuses for the file itself. */
const maxTries = 7
/** WhatsApp keeps the file of a webhook for 7 days. */
const keptMs = 7 * 24 * 3600_000

interface Dependencies {
  readonly messageRecords: Pick<MessagesRepository, 'mediaDue' | 'read'>
  readonly messages: Pick<MessagesService, 'change'>
  readonly media: Pick<MediaService, 'save'>
  readonly numbers: Pick<NumbersService, 'access' | 'stop'>
  readonly transaction: RunInTransaction
  readonly now?: Clock
}

/**
 * Fetches the files of customers' messages from the platform, before it deletes them. Trouble that says nothing of a file, a token
 * that is refused say, ends no file: it is fetched once that is over.
 */
export function createMediaFetching(deps: Dependencies) {
  const { messageRecords, messages, media, numbers, transaction, now = () => new Date() } = deps

  /** @throws the fault of anything but WhatsApp, which is noted too. */
  async function fetchFor({ id, workspaceId }: JobRecord): Promise<void> {
    const scope = { workspaceId }
    const message = await messageRecords.read(scope, id)
    const waMediaId = message?.content['waMediaId']
    if (message?.mediaFetch === undefined || typeof waMediaId !== 'string') return
    if (message.mediaFetch.notBefore && message.mediaFetch.notBefore > now()) return
    try {
      const stored = await download(scope, message, waMediaId)
      await note(scope, message, stored && { ...stored, state: undefined })
    } catch (error) {
      await noteFailure(scope, message, error)
      if (!(error instanceof GraphCallFailed || isTooLarge(error))) throw error
    }
  }

  async function noteFailure(scope: WorkspaceScope, message: MessageRecord, error: unknown): Promise<void> {
    // The next try would find the same file.
    if (isTooLarge(error)) return note(scope, message)
    let refusal = error instanceof GraphCallFailed ? error.refusal : undefined
    if (refusal && isUnknownFile(refusal)) {
      const answer = await askForNumber(scope, message)
      if (answer === 'known') return note(scope, message, { state: 'expired' })
      refusal = answer
    }
    const { tries = 0, pauses = 0 } = message.mediaFetch ?? {}
    const next = nextTry(refusal, pauses, { isEndless: true })
    // A permission may lack for files alone.
    if (refusal && next.kind === 'stop_number' && (isTokenCode(next.code) || isNoAccess(refusal)))
      await numbers.stop(scope, message.numberId, next.code, refusal.message)
    const counted = next.kind === 'refused' ? tries + 1 : tries
    if (counted >= maxTries) return note(scope, message, { state: 'failed' })
    if (now().getTime() - message.createdAt.getTime() > keptMs) return note(scope, message, { state: 'expired' })
    const pauseMs = next.kind === 'again' ? next.pauseMs : usualPauseMs(pauses)
    const notBefore = new Date(now().getTime() + pauseMs)
    await change(scope, message, {
      set: { mediaFetch: { state: 'due', tries: counted, pauses: pauses + 1, notBefore } },
    })
  }

  /** Tells a file that WhatsApp does not know from a number that the token may not use: it answers the same for both. */
  async function askForNumber(
    scope: WorkspaceScope,
    { numberId }: MessageRecord,
  ): Promise<'known' | GraphRefusal | undefined> {
    const access = await numbers.access(scope, numberId)
    if (!access) return undefined
    try {
      await numberCalls.describe({ ...access, accessToken: new Secret(access.accessToken) })
      return 'known'
    } catch (error) {
      if (error instanceof GraphCallFailed) return error.refusal
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

  const change = (
    scope: WorkspaceScope,
    { id, version, conversationId, status: from }: MessageRecord,
    { set, unset = [] }: { set: Record<string, unknown>; unset?: readonly string[] },
  ) => transaction((tx) => messages.change(scope, [{ id, version, conversationId, from, set, unset }], tx))

  return { fetchFor, due: messageRecords.mediaDue }
}

const isTooLarge = (error: unknown): boolean => error instanceof AppError && error.code === 'body_too_large'

const isPicture = (type: string): boolean => type === 'image' || type === 'sticker'

/** A picture that cannot be shown, broken or too large, is a file to download. */
const asFile = ({ type }: MessageRecord['content'], mimeType: string) => ({
  type: 'document',
  fileName: `${type}${fileEnding(mimeType)}`,
})

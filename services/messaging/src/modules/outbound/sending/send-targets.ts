import { AppError } from '@parley/service-kit/core/errors'
import type { Secret } from '@parley/service-kit/core/secret-box'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { laneOf } from '@parley/service-kit/queue/lanes'
import { stoppedBy } from '../../../whatsapp/error-classes.ts'
import { errorCodes } from '../../../whatsapp/error-codes.ts'
import { fileFaultCodes } from '../../../whatsapp/file-errors.ts'
import { GraphCallFailed } from '../../../whatsapp/graph-answer.ts'
import type { GraphClient } from '../../../whatsapp/graph-client.ts'
import type { GraphClients } from '../../../whatsapp/graph-clients.ts'
import { type NextTry, nextTry } from '../../../whatsapp/next-try.ts'
import type { Recipient, Sendable } from '../../../whatsapp/send-body.ts'
import { portfolioOf } from '../../channel/numbers/number-facts.ts'
import type { NumberRecord, NumbersService } from '../../channel/numbers/numbers.service.ts'
import { reachedBy } from '../../contacts/contact-fields.ts'
import type { ContactsService } from '../../contacts/contacts.service.ts'
import type { MessageRecord, MessagesRepository } from '../../inbox/messages/messages.service.ts'
import type { OutboundMedia } from '../../media/outbound-media.ts'
import type { LinkTokens } from '../link-tokens.ts'
import { filesOf, type MessageFile, sendableOf, withFiles } from './sendable.ts'

const usualPerSecond = 80
/** Pause after a refusal that would come again: a member may send the message once more then. */
const refusedPauseMs = 30_000
/** Time after which nobody has asked for a file again whose upload has failed. */
const forgottenAfterMs = 3600_000

/** Data that a send needs besides its message. */
export interface Target {
  readonly graph: GraphClient
  readonly phoneNumberId: string
  readonly accessToken: Secret
  readonly recipient: Recipient
  /** The phone number as it is stored: WhatsApp may have confirmed another form of it, to which it is sent. */
  readonly phone: string | undefined
  /** The quoted message, as the platform names it. */
  readonly replyTo: string | undefined
  /** True where a file goes along. */
  readonly hasFile: boolean
  /** Absent while the file is being uploaded. */
  readonly content: Sendable | undefined
  /** Reason why its file cannot be sent. */
  readonly failure: { readonly code: number; readonly message: string } | undefined
}

type Failure = NonNullable<Target['failure']>

/** An upload, and how often it has been tried again. */
interface Upload {
  readonly state: 'uploading' | 'paused' | 'due' | Failure
  readonly tried: number
}

interface Dependencies {
  readonly numbers: Pick<NumbersService, 'readToSend' | 'stop' | 'tokenOf'>
  readonly graphs: Pick<GraphClients, 'of'>
  readonly contacts: Pick<ContactsService, 'shown'>
  readonly messageRecords: Pick<MessagesRepository, 'readMany'>
  readonly outboundMedia: OutboundMedia
  readonly linkTokens: Pick<LinkTokens, 'of'>
  readonly wakeSender: (lane: number) => void
}

export type SendTargets = ReturnType<typeof createSendTargets>

/** Reads everything that the messages of one number need, at once; files that the platform does not have yet are uploaded. */
export function createSendTargets(deps: Dependencies) {
  const { numbers, graphs, contacts, messageRecords, outboundMedia: media, linkTokens } = deps
  const wake = (numberId: string) => deps.wakeSender(laneOf(numberId))
  /** Uploads in hand, and those that have failed a short while ago. */
  const uploads = new Map<string, Upload>()

  /** @returns `undefined` where the number is gone. */
  async function of(scope: WorkspaceScope, numberId: string, messages: readonly MessageRecord[]) {
    const found = await numbers.readToSend(scope, numberId)
    if (!found) return undefined
    const number: NumberRecord = found
    if (number.stopped && stoppedBy(number.stopped) === 'all')
      return { stopped: true, perSecond: 0, portfolio: undefined, targetOf: () => undefined }
    const [people, quoted, files] = await Promise.all([
      contacts.shown(scope, unique(messages.map(({ contactId }) => contactId))),
      messageRecords.readMany(scope, unique(messages.flatMap(({ replyTo }) => replyTo ?? []))),
      media.known(
        scope,
        numberId,
        unique(messages.flatMap((message) => filesOf(message).map(({ mediaId }) => mediaId))),
      ),
    ])
    const written = quoted.filter(({ content }) => content.type !== 'system')
    const wamids = new Map(written.map(({ id, waMessageId }) => [id, waMessageId]))
    const access = {
      graph: graphs.of(number.graphUrl),
      phoneNumberId: number.phoneNumberId,
      accessToken: numbers.tokenOf(number),
    }

    function targetOf(message: MessageRecord): Target | undefined {
      const contact = people.get(message.contactId)
      if (!contact) return undefined
      const ownFiles = filesOf(message)
      const failures = ownFiles
        .filter(({ mediaId }) => !files.has(mediaId))
        .flatMap((file) => upload(scope, number, file) ?? [])
      const sendable = sendableOf(message, linkTokens.of)
      return {
        ...access,
        recipient: { phone: reachedBy(contact), userId: contact.waUserId },
        phone: contact.phone,
        replyTo: message.replyTo === undefined ? undefined : wamids.get(message.replyTo),
        hasFile: ownFiles.length > 0,
        content: withFiles(sendable, files),
        failure: failures[0],
      }
    }
    const perSecond = number.throughputPerSecond ?? usualPerSecond
    return { stopped: false, perSecond, portfolio: portfolioOf(number), targetOf }
  }

  /** Begins to upload a file unless that is under way. @returns the reason why it cannot be sent. */
  function upload(
    scope: WorkspaceScope,
    number: NumberRecord,
    { mediaId, fileName }: MessageFile,
  ): Failure | undefined {
    const key = `${number.id}/${mediaId}`
    const { state = 'due', tried = 0 } = uploads.get(key) ?? {}
    if (state !== 'due') return typeof state === 'object' ? state : undefined
    uploads.set(key, { state: 'uploading', tried })
    const file = { mediaId, numberId: number.id, fileName }
    const access = {
      graph: graphs.of(number.graphUrl),
      phoneNumberId: number.phoneNumberId,
      accessToken: numbers.tokenOf(number).reveal(),
    }
    media
      .upload(scope, file, access)
      .then(
        () => uploads.delete(key),
        (error: unknown) => uploadFailed(scope, number.id, { key, tried }, error),
      )
      .finally(() => wake(number.id))
    return undefined
  }

  async function uploadFailed(
    scope: WorkspaceScope,
    numberId: string,
    { key, tried }: { key: string; tried: number },
    error: unknown,
  ): Promise<void> {
    const refusal = error instanceof GraphCallFailed ? error.refusal : undefined
    const next = nextTry(refusal, tried)
    const failure = failureOf(error, next)
    uploads.set(key, { state: failure ?? 'paused', tried })
    setTimeout(
      () => {
        if (failure) uploads.delete(key)
        else retryLater(key, tried + 1)
        wake(numberId)
      },
      next.kind === 'again' ? next.pauseMs : refusedPauseMs,
    ).unref()
    if (refusal && next.kind === 'stop_number')
      await numbers.stop(scope, numberId, next.code, refusal.message).catch(() => {
        // The next try stops it.
      })
  }

  /** Has a file uploaded again once a message asks for it, and forgets it where none does. */
  function retryLater(key: string, tried: number): void {
    const due: Upload = { state: 'due', tried }
    uploads.set(key, due)
    setTimeout(() => uploads.get(key) === due && uploads.delete(key), forgottenAfterMs).unref()
  }

  /** Has the files of a message uploaded anew before it is sent again. */
  const forgetFiles = (scope: WorkspaceScope, message: MessageRecord) =>
    Promise.all(filesOf(message).map(({ mediaId }) => media.forget(scope, mediaId, message.numberId)))

  return { of, forgetFiles, inHand: () => [...uploads.values()].filter(({ state }) => state === 'uploading').length }
}

/** Returns why a file cannot be sent; undefined where it is uploaded again by itself. */
function failureOf(error: unknown, next: NextTry): Failure | undefined {
  if (error instanceof AppError && error.code === 'not_found')
    return { code: fileFaultCodes.gone, message: error.message }
  const refusal = error instanceof GraphCallFailed ? error.refusal : undefined
  if (!refusal || next.kind === 'again') return undefined
  // A stop of something else does not keep the file from being uploaded, and refused, again.
  if (next.kind === 'stop_number' && stoppedBy(next) === 'all') return undefined
  return { code: next.kind === 'refused' ? errorCodes.fileNotTaken : refusal.code, message: refusal.message }
}

const unique = (ids: readonly string[]): string[] => [...new Set(ids)]

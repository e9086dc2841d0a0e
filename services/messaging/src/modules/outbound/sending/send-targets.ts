import { AppError } from '@parley/service-kit/core/errors'
import type { Secret } from '@parley/service-kit/core/secret-box'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { laneOf } from '@parley/service-kit/queue/lanes'
import { classifyRefusal, stoppedBy } from '../../../whatsapp/error-classes.ts'
import { fileFaultCodes } from '../../../whatsapp/file-errors.ts'
import { GraphCallFailed } from '../../../whatsapp/graph-answer.ts'
import type { GraphClient } from '../../../whatsapp/graph-client.ts'
import type { GraphClients } from '../../../whatsapp/graph-clients.ts'
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
const uploadPauseMs = 30_000

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
  const uploading = new Map<string, Target['failure'] | 'uploading'>()

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
      const states = ownFiles.filter(({ mediaId }) => !files.has(mediaId)).map((file) => upload(scope, number, file))
      const sendable = sendableOf(message, linkTokens.of)
      return {
        ...access,
        recipient: { phone: reachedBy(contact), userId: contact.waUserId },
        phone: contact.phone,
        replyTo: message.replyTo === undefined ? undefined : wamids.get(message.replyTo),
        hasFile: ownFiles.length > 0,
        content: withFiles(sendable, files),
        failure: states.find((state) => state !== 'uploading'),
      }
    }
    const perSecond = number.throughputPerSecond ?? usualPerSecond
    return { stopped: false, perSecond, portfolio: portfolioOf(number), targetOf }
  }

  /** Begins to upload a file, or tells how that goes. */
  function upload(scope: WorkspaceScope, number: NumberRecord, { mediaId, fileName }: MessageFile) {
    const key = `${number.id}/${mediaId}`
    const known = uploading.get(key)
    if (known) return known
    uploading.set(key, 'uploading')
    const file = { mediaId, numberId: number.id, fileName }
    const access = {
      graph: graphs.of(number.graphUrl),
      phoneNumberId: number.phoneNumberId,
      accessToken: numbers.tokenOf(number).reveal(),
    }
    media
      .upload(scope, file, access)
      .then(
        () => uploading.delete(key),
        (error: unknown) => uploadFailed(scope, number.id, key, error),
      )
      .finally(() => wake(number.id))
    return 'uploading' as const
  }

  async function uploadFailed(scope: WorkspaceScope, numberId: string, key: string, error: unknown): Promise<void> {
    const refusal = error instanceof GraphCallFailed ? error.refusal : undefined
    const errorClass = refusal ? classifyRefusal(refusal).class : 'retry'
    if (refusal && errorClass === 'stop_number') await numbers.stop(scope, numberId, refusal.code, refusal.message)
    if (error instanceof AppError && error.code === 'not_found')
      uploading.set(key, { code: fileFaultCodes.gone, message: error.message })
    if (refusal && errorClass === 'bad_request') uploading.set(key, { code: 131053, message: refusal.message })
    // It may be tried again after a while in either case: by itself, or because a person has sent it again.
    setTimeout(() => {
      uploading.delete(key)
      wake(numberId)
    }, uploadPauseMs).unref()
  }

  return { of, inHand: () => [...uploading.values()].filter((state) => state === 'uploading').length }
}

const unique = (ids: readonly string[]): string[] => [...new Set(ids)]

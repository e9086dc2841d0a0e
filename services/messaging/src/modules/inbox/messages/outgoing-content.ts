import { isSendableAs, mediaLimits } from '@parley/contracts/channel/media'
import type { OutgoingContent } from '@parley/contracts/inbox/outgoing-content'
import { errors } from '@parley/service-kit/core/errors'
import { omitUndefined } from '@parley/service-kit/core/omit-undefined'
import type { StoredMedia } from '@parley/service-kit/media/media-store'
import { plainFileName } from '../../../whatsapp/file-name.ts'
import { whyUnplayable } from '../../../whatsapp/playable.ts'
import type { MessageRecord } from './messages.model.ts'

/** Content of an outgoing message: of people and the API, and beyond that of campaigns, bots and workflows. */
export type Outgoing =
  | OutgoingContent
  | {
      readonly type: 'interactive'
      readonly text: string
      readonly footer?: string | undefined
      /** Button that opens the options as a list; absent where they are buttons. */
      readonly button?: string | undefined
      readonly options: readonly { id: string; title: string; description?: string | undefined }[]
      /** Form that the button opens, in place of options; `token` comes back with its answers. */
      readonly flow?: { readonly id: string; readonly screen?: string; readonly token: string } | undefined
    }
  | {
      readonly type: 'template'
      readonly templateId: string
      readonly name: string
      readonly language: string
      /** Text as the customer reads it, and the parts of it that WhatsApp sets apart. */
      readonly text: string
      readonly headerText?: string | undefined
      readonly footer?: string | undefined
      readonly buttons?: readonly { readonly kind: string; readonly text: string }[]
      /** Cards of its carousel. */
      readonly cards?: readonly object[]
      /** Components in the platform's own form. */
      readonly components: readonly object[]
      /** Targets of its counted links, by the index of their buttons. */
      readonly links?: readonly { index: number; url: string }[]
      /** Content above its text, if that is not text. */
      readonly header?: object
      /** Set where it is longer with its values than WhatsApp allows: the gate keeps it back. */
      readonly tooLong?: true
      /** Names the text of the template as it was then. */
      readonly textKey?: string
    }

type Stored = MessageRecord['content']

/**
 * Returns the stored form of a message to be sent.
 * @param describe finds an uploaded file.
 * @throws `validation_failed` for a file that is not there, or that the platform does not take as this kind.
 */
export async function outgoingContent(
  content: Outgoing,
  describe: (mediaId: string) => Promise<StoredMedia | undefined>,
): Promise<Stored> {
  if (!('mediaId' in content)) return stored({ ...content })
  const media = await describe(content.mediaId)
  if (!media) throw errors.validation({ mediaId: 'There is no such file. Upload it again.' })
  if (!isSendableAs(content.type, media)) {
    const { types, bytes } = mediaLimits[content.type]
    throw errors.validation({
      mediaId: `WhatsApp accepts this kind of file up to ${Math.floor(bytes / 1024)} KB, as ${types.join(', ')}.`,
    })
  }
  const problem = whyUnplayable(content.type, media)
  if (problem !== undefined) throw errors.validation({ mediaId: problem })
  return stored({
    ...content,
    mimeType: media.type,
    sizeBytes: media.sizeBytes,
    ...(media.widthPx !== undefined && { width: media.widthPx, height: media.heightPx }),
    ...(content.type === 'document' && { fileName: plainFileName(content.fileName ?? 'Document') }),
  })
}

const stored = (content: { readonly type: string; readonly [field: string]: unknown }): Stored => ({
  ...omitUndefined(content),
  type: content.type,
})

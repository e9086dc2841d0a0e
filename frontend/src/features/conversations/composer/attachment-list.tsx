import CloseOutlined from '@ant-design/icons/CloseOutlined'
import { maxCaptionLength } from '@parley/contracts/inbox/messages'
import { Button, Input, Progress } from 'antd'
import { counted, formatCount } from '../../../lib/format.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Sound } from '../thread/media-player.tsx'
import styles from './attachment-list.module.css'
import type { Attachment } from './stored-attachments.ts'
import { maxFiles } from './use-attachments.ts'
import type { useMentionSuggestions } from './use-mention-suggestions.ts'

const captioned: ReadonlySet<Attachment['kind']> = new Set(['image', 'video', 'document'])
/** Length from which a caption's length is shown. */
const countedFrom = maxCaptionLength - 100
const kinds = { image: 'Photo', video: 'Video', audio: 'Audio', document: 'Document', sticker: 'Sticker' } as const

/** The files that go along, over the composer: how far each is, and the words under it. */
export function AttachmentList({
  attachments,
  leftOut,
  onCaption,
  captionField,
  onRemove,
  canBeSticker,
  onSticker,
}: {
  attachments: readonly Attachment[]
  /** Number of chosen files above the limit of one send. */
  leftOut: number
  onCaption: (id: string, caption: string) => void
  /** Properties of a caption's field, in which a note's mentions are completed. */
  captionField: ReturnType<typeof useMentionSuggestions>['captionField']
  onRemove: (id: string) => void
  canBeSticker: (id: string) => boolean
  onSticker: (id: string) => void
}) {
  return (
    <>
      <ul className={styles['list']} aria-label="Attachments">
        {attachments.map(({ id, name, kind, caption, progress, media, problem, voice }) => (
          <li key={id}>
            <div className={styles['about']}>
              <span className={styles['name']} dir="auto">
                {name}
              </span>
              {problem ? (
                <span className={styles['problem']} role="alert">
                  {problem}
                </span>
              ) : media && kind === 'audio' ? (
                // A recording is listened to before it leaves.
                <Sound url={`/api/media/${media.id}`} voice={voice ?? false} />
              ) : media && (kind === 'image' || kind === 'sticker') ? (
                <img className={styles['picture']} src={`/api/media/${media.id}/thumbnail`} alt={kinds[kind]} />
              ) : media ? (
                <span className={styles['kind']}>{kinds[kind]}</span>
              ) : (
                <Progress percent={Math.round(progress * 100)} size="small" aria-label={`Upload of ${name}`} />
              )}
            </div>
            {captioned.has(kind) && !problem && (
              <Input
                size="small"
                aria-label={`Caption of ${name}`}
                placeholder="Caption"
                dir="auto"
                maxLength={maxCaptionLength}
                value={caption}
                {...captionField(id)}
                onChange={(event) => {
                  captionField(id).onSelect(event)
                  onCaption(id, event.target.value)
                }}
              />
            )}
            {canBeSticker(id) && kind === 'image' && (
              <Button className={styles['sticker'] ?? ''} size="small" type="link" onClick={() => onSticker(id)}>
                Send as a sticker
              </Button>
            )}
            {caption.length >= countedFrom && (
              <span className={styles['count']} role="status">
                {formatCount(caption.length)} of {formatCount(maxCaptionLength)} characters
              </span>
            )}
            <IconButton label={`Remove ${name}`} onClick={() => onRemove(id)}>
              <CloseOutlined aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      {leftOut > 0 && (
        <p className={styles['limit']} role="alert">
          At most {maxFiles} files go out at once: {counted(leftOut, 'file')} left out. Send{' '}
          {leftOut === 1 ? 'it' : 'them'} after these.
        </p>
      )}
    </>
  )
}

import CloseOutlined from '@ant-design/icons/CloseOutlined'
import UploadOutlined from '@ant-design/icons/UploadOutlined'
import type { NewSavedReply } from '@parley/contracts/inbox/replies'
import { Button } from 'antd'
import { useEffect, useId, useRef } from 'react'
import { type Control, useController } from 'react-hook-form'
import { useUpload } from '../../../lib/use-upload.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Film, Sound } from '../thread/media-player.tsx'
import { prepareFile } from './prepare-file.ts'
import styles from './replies-dialog.module.css'
import { attachmentOf } from './use-attachments.ts'

interface Props {
  control: Control<NewSavedReply>
  onBusy: (isBusy: boolean) => void
}

/** The file of a saved reply: chosen, shown as the customer gets it, or taken away. */
export function ReplyFileField({ control, onBusy }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const { share, failure, start } = useUpload()
  const isBusy = share !== undefined
  useEffect(() => onBusy(isBusy), [onBusy, isBusy])
  const { field, fieldState } = useController({ control, name: 'file' })
  const file = field.value
  const problem = failure ?? fieldState.error?.message

  const take = (chosen: File) =>
    start(async (send) => {
      const ready = attachmentOf(chosen).kind === 'document' ? chosen : await prepareFile(chosen)
      if (typeof ready === 'string') return ready
      const { kind, name, problem: refusal } = attachmentOf(ready)
      if (refusal !== undefined) return refusal
      const media = await send(ready, kind)
      // A sticker has no words beside it, and a saved reply no sticker.
      const as = media.kind === 'sticker' ? 'document' : media.kind
      field.onChange({ mediaId: media.id, kind: as, fileName: name.slice(0, 240) })
      return undefined
    })

  const action = file ? 'Replace the file' : 'Add a file'
  return (
    <div className={styles['file']}>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="File of the reply"
        onChange={({ target }) => {
          const [chosen] = target.files ?? []
          if (chosen) void take(chosen)
          target.value = ''
        }}
      />
      {file && <FilePreview file={file} />}
      <span className={styles['fileRow']}>
        <Button
          icon={<UploadOutlined aria-hidden />}
          loading={share !== undefined}
          aria-describedby={`${id}-hint${problem === undefined ? '' : ` ${id}`}`}
          onClick={() => input.current?.click()}
        >
          {share === undefined ? action : `Uploading, ${Math.round(share * 100)} %`}
        </Button>
        {file && (
          <>
            <span className={styles['fileName']} dir="auto">
              {file.fileName}
            </span>
            <IconButton label={`Remove ${file.fileName}`} onClick={() => field.onChange(null)}>
              <CloseOutlined aria-hidden />
            </IconButton>
          </>
        )}
      </span>
      {problem !== undefined && (
        <p id={id} className={styles['fileProblem']} role="alert">
          {problem}
        </p>
      )}
      <p id={`${id}-hint`} className={styles['fileHint']}>
        {file?.kind === 'audio'
          ? 'The text follows the audio as a message of its own.'
          : 'A picture, video, document or audio file; the text stands under it.'}
      </p>
    </div>
  )
}

function FilePreview({ file: { mediaId, kind, fileName } }: { file: NonNullable<NewSavedReply['file']> }) {
  const url = `/api/media/${mediaId}`
  if (kind === 'image') return <img className={styles['picture']} src={`${url}/thumbnail`} alt={fileName} />
  if (kind === 'video') return <Film url={url} width={240} height={135} />
  return kind === 'audio' ? <Sound url={url} voice={false} /> : null
}

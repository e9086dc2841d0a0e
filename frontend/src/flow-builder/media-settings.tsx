import UploadOutlined from '@ant-design/icons/UploadOutlined'
import { flowMediaKinds } from '@parley/contracts/automation/flow'
import { isSendableAs, mediaLimits, uploadTypes } from '@parley/contracts/channel/media'
import { Button } from 'antd'
import { useId, useRef } from 'react'
import { type Control, useController, useWatch } from 'react-hook-form'
import { useUpload } from '../lib/use-upload.ts'
import styles from './inspector.module.css'
import type { NodeFormValues } from './node-form-values.ts'
import { MessageSetting } from './setting-fields.tsx'

/** A file that the flow sends, with the text under it. */
export function MediaSettings({ control }: { control: Control<NodeFormValues> }) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const { share, failure, start } = useUpload()
  const { field: mediaId } = useController({ control, name: 'settings.mediaId' })
  const { field: media } = useController({ control, name: 'settings.media' })
  const { field: fileName } = useController({ control, name: 'settings.fileName' })
  const kind = useWatch({ control, name: 'settings.media' })

  const take = (file: File) =>
    start(async (send) => {
      const uploaded = await send(file)
      const found = flowMediaKinds.find((one) => one === uploaded.kind) ?? 'document'
      const as = isSendableAs(found, { type: uploaded.mimeType, sizeBytes: uploaded.sizeBytes }) ? found : 'document'
      media.onChange(as)
      fileName.onChange(file.name.slice(0, 240))
      mediaId.onChange(uploaded.id)
      return undefined
    })

  const name = typeof fileName.value === 'string' && fileName.value !== '' ? fileName.value : undefined
  return (
    <>
      <div className={styles['lead']}>
        <input
          ref={input}
          type="file"
          hidden
          accept={uploadTypes.filter((type) => !mediaLimits.sticker.types.some((sticker) => sticker === type)).join()}
          aria-label="File"
          onChange={({ target }) => {
            const [chosen] = target.files ?? []
            if (chosen) void take(chosen)
            target.value = ''
          }}
        />
        <Button
          icon={<UploadOutlined aria-hidden />}
          loading={share !== undefined}
          {...(failure !== undefined && { 'aria-describedby': id })}
          onClick={() => input.current?.click()}
        >
          {share !== undefined
            ? `Uploading, ${Math.round(share * 100)} %`
            : name
              ? 'Replace the file'
              : 'Choose a file'}
        </Button>
        {name && (
          <span className={styles['note']} dir="auto">
            {name}
          </span>
        )}
        {failure !== undefined && (
          <span id={id} className={styles['note']} role="alert">
            {failure}
          </span>
        )}
      </div>
      {kind !== 'audio' && (
        <MessageSetting control={control} name="caption" label="Caption" maxLength={1024} optional />
      )}
    </>
  )
}

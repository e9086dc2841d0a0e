import UploadOutlined from '@ant-design/icons/UploadOutlined'
import { flowMediaKinds } from '@parley/contracts/automation/flow'
import { isSendableAs, mediaApi, mediaLimits, uploadTypes } from '@parley/contracts/channel/media'
import { Button } from 'antd'
import { useEffect, useId, useRef, useState } from 'react'
import { type Control, useController, useWatch } from 'react-hook-form'
import { explain } from '../lib/explain.ts'
import { uploadFile } from '../lib/upload.ts'
import styles from './inspector.module.css'
import type { NodeFormValues } from './node-form-values.ts'
import { MessageSetting } from './setting-fields.tsx'

/** A file that the flow sends, with the text under it. */
export function MediaSettings({ control }: { control: Control<NodeFormValues> }) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const [share, setShare] = useState<number>()
  const [failure, setFailure] = useState<string>()
  const { field: mediaId } = useController({ control, name: 'settings.mediaId' })
  const { field: media } = useController({ control, name: 'settings.media' })
  const { field: fileName } = useController({ control, name: 'settings.fileName' })
  const kind = useWatch({ control, name: 'settings.media' })

  async function start(file: File): Promise<void> {
    running.current?.abort()
    const upload = new AbortController()
    running.current = upload
    setFailure(undefined)
    setShare(0)
    try {
      const uploaded = await uploadFile(mediaApi.upload, file, {
        query: {},
        onProgress: setShare,
        signal: upload.signal,
      })
      const found = flowMediaKinds.find((one) => one === uploaded.kind) ?? 'document'
      const as = isSendableAs(found, { type: uploaded.mimeType, sizeBytes: uploaded.sizeBytes }) ? found : 'document'
      media.onChange(as)
      fileName.onChange(file.name.slice(0, 240))
      mediaId.onChange(uploaded.id)
    } catch (cause) {
      if (!upload.signal.aborted) setFailure(explain(cause, 'The file could not be uploaded. Try it again.'))
    } finally {
      if (running.current === upload) setShare(undefined)
    }
  }

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
            if (chosen) void start(chosen)
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

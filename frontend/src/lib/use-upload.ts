import { type MediaKind, mediaApi, type UploadedMedia } from '@parley/contracts/channel/media'
import { useEffect, useRef, useState } from 'react'
import { explain } from './explain.ts'
import { uploadFile } from './upload.ts'

/** Sends a file. @param as its kind; absent: by its content. */
type Send = (file: File, as?: MediaKind) => Promise<UploadedMedia>

/** Uploads one file at a time: another one, or leaving the page, ends the upload before. */
export function useUpload() {
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  /** Part that was sent, from 0 to 1; absent while nothing is. */
  const [share, setShare] = useState<number>()
  const [failure, setFailure] = useState<string>()

  /** @param work returns the reason for which it does not take the file. */
  async function start(work: (send: Send) => Promise<string | undefined>): Promise<void> {
    running.current?.abort()
    const upload = new AbortController()
    running.current = upload
    setFailure(undefined)
    setShare(0)
    const { signal } = upload
    try {
      const refusal = await work((file, as) =>
        uploadFile(mediaApi.upload, file, { query: as ? { as } : {}, onProgress: setShare, signal }),
      )
      if (refusal !== undefined) setFailure(refusal)
    } catch (error) {
      if (!signal.aborted) setFailure(explain(error, 'The file could not be uploaded. Try it again.'))
    } finally {
      if (running.current === upload) setShare(undefined)
    }
  }

  return { share, failure, start, refuse: setFailure }
}

import { type MediaKind, mediaApi, type UploadedMedia } from '@parley/contracts/channel/media'
import { createContext, use, useCallback, useEffect, useRef, useState } from 'react'
import { explain } from './explain.ts'
import { uploadFile } from './upload.ts'

/** Sends a file. @param as its kind; absent: by its content. */
type Send = (file: File, as?: MediaKind) => Promise<UploadedMedia>

/** Tells a form of the uploads in it: the provider's value is `track` of `useUploadsOfForm`. */
export const UploadsOfForm = createContext<(upload: Promise<void>) => void>(() => {})

/**
 * Lets a form that is sent while a file is on its way wait for it.
 * @param acts ways of sending it, by name: as they are once the file is there. None is done where the form is left until then.
 */
export function useUploadsOfForm<Act extends string>(acts: Readonly<Record<Act, () => unknown>>) {
  const latest = useRef(acts)
  latest.current = acts
  const running = useRef(new Set<Promise<void>>())
  const [waiting, setWaiting] = useState<{ act: Act; isDue: boolean }>()
  // Done when the form is shown with its file.
  useEffect(() => {
    if (!waiting?.isDue) return
    setWaiting(undefined)
    latest.current[waiting.act]()
  }, [waiting])
  const track = useCallback((upload: Promise<void>) => {
    running.current.add(upload)
    void upload.finally(() => running.current.delete(upload))
  }, [])
  async function ended(): Promise<void> {
    while (running.current.size > 0) await Promise.all(running.current)
  }
  return {
    track,
    isWaiting: waiting !== undefined,
    /** Does something at once, or once all uploads have ended. */
    whenUploaded(act: Act): void {
      if (waiting) return
      if (running.current.size === 0) {
        latest.current[act]()
        return
      }
      setWaiting({ act, isDue: false })
      void ended().then(() => setWaiting({ act, isDue: true }))
    },
  }
}

/** Uploads one file at a time: another one, or leaving the page, ends the upload before. */
export function useUpload() {
  const track = use(UploadsOfForm)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  /** Part that was sent, from 0 to 1; absent while nothing is. */
  const [share, setShare] = useState<number>()
  const [failure, setFailure] = useState<string>()

  /** @param work returns the reason for which it does not take the file. */
  function start(work: (send: Send) => Promise<string | undefined>): Promise<void> {
    const upload = run(work)
    track(upload)
    return upload
  }

  async function run(work: (send: Send) => Promise<string | undefined>): Promise<void> {
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

import { type MediaKind, mediaApi, type UploadedMedia } from '@parley/contracts/channel/media'
import { createContext, use, useCallback, useEffect, useRef, useState } from 'react'
import { explain } from './explain.ts'
import { uploadFile } from './upload.ts'

/** Sends a file. @param as its kind; absent: by its content. */
type Send = (file: File, as?: MediaKind) => Promise<UploadedMedia>

/** Tells a form of the uploads in it, each with whether the form may go on: the provider's value is `track` of `useUploadsOfForm`. */
export const UploadsOfForm = createContext<(upload: Promise<boolean>) => void>(() => {})

/**
 * Lets a form that is sent while a file is on its way wait for it.
 * @param acts ways of sending it, by name: as they are once the file is there. None is done where the form is left until then, or
 * a file could not be uploaded: an earlier one may still be in its place.
 */
export function useUploadsOfForm<Act extends string>(acts: Readonly<Record<Act, () => unknown>>) {
  const latest = useRef(acts)
  latest.current = acts
  const running = useRef(new Set<Promise<boolean>>())
  const [waiting, setWaiting] = useState<{ act: Act; isDue: boolean }>()
  // Done when the form is shown with its file.
  useEffect(() => {
    if (!waiting?.isDue) return
    setWaiting(undefined)
    latest.current[waiting.act]()
  }, [waiting])
  const track = useCallback((upload: Promise<boolean>) => {
    running.current.add(upload)
    void upload.finally(() => running.current.delete(upload))
  }, [])
  /** Resolves once all uploads have ended, with whether none has failed. */
  async function ended(): Promise<boolean> {
    let isGood = true
    while (running.current.size > 0) isGood = (await Promise.all(running.current)).every(Boolean) && isGood
    return isGood
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
      void ended().then((isGood) => setWaiting(isGood ? { act, isDue: true } : undefined))
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
    return upload.then(() => undefined)
  }

  /** @returns whether nothing has failed; an upload that another one has ended has not. */
  async function run(work: (send: Send) => Promise<string | undefined>): Promise<boolean> {
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
      return refusal === undefined
    } catch (error) {
      if (!signal.aborted) setFailure(explain(error, 'The file could not be uploaded. Try it again.'))
      return signal.aborted
    } finally {
      if (running.current === upload) setShare(undefined)
    }
  }

  return { share, failure, start, refuse: setFailure }
}

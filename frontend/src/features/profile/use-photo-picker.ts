import { useState } from 'react'
import { type Area, isSquare } from './photo.ts'
import { encodePhoto, openPicture, type Picture } from './read-photo.ts'

export interface PhotoPicker {
  /** Picture that was opened and waits to be cropped. */
  readonly picture: Picture | undefined
  readonly busy: boolean
  readonly pick: (file: File) => Promise<void>
  readonly crop: (area: Area) => Promise<void>
  readonly cancel: () => void
}

/**
 * The way of a photo from a file to a data URL. A picture that is square already is taken as it is; any other waits for a
 * crop. `onPhoto` gets the data URL, `onProblem` a sentence for the person.
 */
export function usePhotoPicker(onPhoto: (dataUrl: string) => void, onProblem: (message: string) => void): PhotoPicker {
  const [picture, setPicture] = useState<Picture>()
  const [busy, setBusy] = useState(false)

  async function guarded(step: () => Promise<void>) {
    setBusy(true)
    try {
      await step()
    } catch (error) {
      onProblem(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }

  async function finish(opened: Picture, area?: Area) {
    try {
      onPhoto(await encodePhoto(opened, area))
    } finally {
      opened.release()
    }
  }

  function cancel() {
    picture?.release()
    setPicture(undefined)
  }

  return {
    picture,
    busy,
    cancel,
    pick: (file) =>
      guarded(async () => {
        const opened = await openPicture(file)
        if (isSquare(opened.width, opened.height)) return finish(opened)
        picture?.release()
        setPicture(opened)
      }),
    crop: (area) =>
      guarded(async () => {
        if (!picture) return
        setPicture(undefined)
        await finish(picture, area)
      }),
  }
}

import { oggOf } from '@parley/ogg'
import type { Recording } from './types.ts'

const ogg = 'audio/ogg;codecs=opus'
const webm = 'audio/webm;codecs=opus'

/** Names of the browser's refusals → what they mean. */
const refusals: Record<string, string> = {
  NotAllowedError: 'The browser has not allowed the microphone for this page.',
  NotFoundError: 'There is no microphone.',
  NotReadableError: 'Another program is using the microphone.',
}

/** Begins to record the microphone. @returns the reason, in words, where that fails. */
export async function record(): Promise<Recording | string> {
  if (!navigator.mediaDevices) return 'Browsers hand out the microphone on localhost and over https only.'
  const type = [ogg, webm].find((candidate) => MediaRecorder.isTypeSupported(candidate))
  if (!type) return 'This browser cannot record Opus, which WhatsApp’s voice notes are made of.'
  try {
    return begin(await navigator.mediaDevices.getUserMedia({ audio: true }), type)
  } catch (error) {
    return (error instanceof Error && refusals[error.name]) || 'The microphone cannot be used.'
  }
}

function begin(stream: MediaStream, type: string): Recording {
  const recorder = new MediaRecorder(stream, { mimeType: type, audioBitsPerSecond: 32_000 })
  const chunks: Blob[] = []
  recorder.ondataavailable = ({ data }) => void chunks.push(data)
  recorder.start()

  const end = () =>
    new Promise<void>((resolve) => {
      recorder.onstop = () => resolve()
      recorder.stop()
      for (const track of stream.getTracks()) track.stop()
    })
  return {
    startedAt: Date.now(),
    async finish() {
      await end()
      const recorded = new Blob(chunks)
      if (type === ogg) return new Blob([recorded], { type: 'audio/ogg' })
      // Browsers that write WebM only record the same Opus: it is put into the file that WhatsApp would have.
      return new Blob([oggOf(new Uint8Array(await recorded.arrayBuffer()))], { type: 'audio/ogg' })
    },
    cancel: () => void end(),
  }
}

import { oggOf } from '@parley/ogg'

/** A microphone that is being recorded. */
export interface Recording {
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Returns how loud it is now, 0–1. */
  readonly level: () => number
  /** Ends it and lets go of the microphone. @returns an Ogg file with Opus, which WhatsApp shows as a voice note. */
  readonly finish: () => Promise<File>
  /** Ends it without a file. */
  readonly cancel: () => void
}

const ogg = 'audio/ogg;codecs=opus'
const webm = 'audio/webm;codecs=opus'
const bitsPerSecond = 32_000

/** Names of the browser's refusals, and what they mean. */
const refusals: Readonly<Record<string, string>> = {
  NotAllowedError: 'The browser has not allowed the microphone for this page. Allow it in the address bar.',
  NotFoundError: 'There is no microphone.',
  NotReadableError: 'Another program is using the microphone.',
}

/** Begins to record the microphone. @returns the reason, in words, where that fails. */
export async function record(): Promise<Recording | string> {
  if (!navigator.mediaDevices) return 'Browsers hand out the microphone over https only.'
  const type = [ogg, webm].find((candidate) => MediaRecorder.isTypeSupported(candidate))
  if (!type) return 'This browser cannot record voice notes. Attach an audio file instead.'
  try {
    return begin(await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1 } }), type)
  } catch (error) {
    return (error instanceof Error && refusals[error.name]) || 'The microphone cannot be used.'
  }
}

function begin(stream: MediaStream, type: string): Recording {
  const recorder = new MediaRecorder(stream, { mimeType: type, audioBitsPerSecond: bitsPerSecond })
  const meter = meterOf(stream)
  const chunks: Blob[] = []
  recorder.ondataavailable = ({ data }) => void chunks.push(data)
  recorder.start()
  let ended: Promise<void> | undefined

  const end = () => {
    ended ??= new Promise<void>((resolve) => {
      recorder.onstop = () => resolve()
      if (recorder.state === 'inactive') resolve()
      else recorder.stop()
      for (const track of stream.getTracks()) track.stop()
      meter.end()
    })
    return ended
  }
  return {
    startedAt: Date.now(),
    level: meter.level,
    async finish() {
      await end()
      const recorded = new Blob(chunks)
      // Browsers that write WebM only record the same Opus: it is put into the file that WhatsApp takes.
      const bytes = type === ogg ? recorded : oggOf(new Uint8Array(await recorded.arrayBuffer()))
      return new File([bytes], 'Voice note.ogg', { type: 'audio/ogg' })
    },
    cancel: () => void end(),
  }
}

function meterOf(stream: MediaStream) {
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  analyser.fftSize = 512
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  return {
    level(): number {
      analyser.getFloatTimeDomainData(samples)
      return Math.min(1, 2 * Math.max(...samples.map(Math.abs)))
    },
    end: () => void context.close(),
  }
}

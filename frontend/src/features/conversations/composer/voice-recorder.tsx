import AudioOutlined from '@ant-design/icons/AudioOutlined'
import CheckOutlined from '@ant-design/icons/CheckOutlined'
import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import { useEffect, useRef, useState } from 'react'
import { IconButton } from '../../../ui/icon-button.tsx'
import { toast } from '../../../ui/toast.ts'
import { formatSeconds } from '../thread/format-seconds.ts'
import type { Recording } from './recording.ts'
import styles from './voice-recorder.module.css'

const levelEveryMs = 100
const shownLevels = 24
/** A quarter of an hour: about 4 MB. */
const maxSeconds = 900

/** Records a voice note. Ended, it is an attachment that can be listened to; thrown away, nothing is left of it. */
export function VoiceRecorder({ onRecorded }: { onRecorded: (file: File) => void }) {
  const [recording, setRecording] = useState<Recording>()
  const [levels, setLevels] = useState<readonly number[]>([])
  const [seconds, setSeconds] = useState(0)
  const isStarting = useRef(false)

  const start = async () => {
    if (isStarting.current) return
    isStarting.current = true
    const { record } = await import('./recording.ts')
    const started = await record()
    isStarting.current = false
    if (typeof started === 'string') toast.error(started)
    else {
      setLevels([])
      setSeconds(0)
      setRecording(started)
    }
  }
  const finish = async () => {
    if (!recording) return
    setRecording(undefined)
    try {
      onRecorded(await recording.finish())
    } catch {
      toast.error('The recording holds no sound. Try it again.')
    }
  }
  const latestFinish = useRef(finish)
  useEffect(() => {
    latestFinish.current = finish
  })
  useEffect(() => {
    if (!recording) return
    const timer = setInterval(() => {
      const passed = Math.floor((Date.now() - recording.startedAt) / 1000)
      setLevels((all) => [...all, recording.level()].slice(-shownLevels))
      setSeconds(passed)
      if (passed >= maxSeconds) void latestFinish.current()
    }, levelEveryMs)
    return () => clearInterval(timer)
  }, [recording])
  // Another conversation, another page: the microphone is let go.
  useEffect(() => () => recording?.cancel(), [recording])

  if (!recording)
    return (
      <IconButton label="Record a voice note" title="Record a voice note" onClick={() => void start()}>
        <AudioOutlined aria-hidden />
      </IconButton>
    )
  return (
    <fieldset className={styles['recorder']} aria-label="Voice note">
      <IconButton label="Discard the recording" title="Discard" onClick={() => setRecording(undefined)}>
        <DeleteOutlined aria-hidden />
      </IconButton>
      <span className={styles['dot']} aria-hidden />
      <span role="timer">{formatSeconds(seconds)}</span>
      <span className={styles['levels']} aria-hidden>
        {levels.map((level, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the bars are places, through which the levels move.
          <span key={index} style={{ height: `${Math.max(8, Math.round(level * 100))}%` }} />
        ))}
      </span>
      <IconButton label="End the recording" title="Done" autoFocus onClick={() => void finish()}>
        <CheckOutlined aria-hidden />
      </IconButton>
    </fieldset>
  )
}

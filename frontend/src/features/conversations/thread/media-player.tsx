import AudioOutlined from '@ant-design/icons/AudioOutlined'
import CaretRightOutlined from '@ant-design/icons/CaretRightOutlined'
import CustomerServiceOutlined from '@ant-design/icons/CustomerServiceOutlined'
import PauseOutlined from '@ant-design/icons/PauseOutlined'
import VideoCameraOutlined from '@ant-design/icons/VideoCameraOutlined'
import { useRef, useState } from 'react'
import { IconButton } from '../../../ui/icon-button.tsx'
import { formatSeconds } from './format-seconds.ts'
import styles from './media-player.module.css'
import { MessageCard } from './message-card.tsx'

/** A moment after the beginning, whose picture stands for the film: the very first one is often black. */
const posterAt = '#t=0.1'

/** Some recordings report their length only once they were played. */
const known = (seconds: number): number | undefined => (Number.isFinite(seconds) && seconds > 0 ? seconds : undefined)

/** A film with its first picture and how long it is. */
export function Film({ url, width, height }: { url: string; width: number; height: number }) {
  const [length, setLength] = useState<number>()
  const [started, setStarted] = useState(false)
  const [broken, setBroken] = useState(false)
  if (broken) return <MessageCard icon={<VideoCameraOutlined />} title="Video" detail="Could not be loaded" url={url} />
  return (
    <span className={styles['film']}>
      {/* biome-ignore lint/a11y/useMediaCaption: what a customer films has none. */}
      <video
        src={`${url}${posterAt}`}
        controls
        playsInline
        preload="metadata"
        aria-label="Video"
        width={width}
        height={height}
        onLoadedMetadata={({ currentTarget }) => setLength(known(currentTarget.duration))}
        onPlay={() => setStarted(true)}
        onError={() => setBroken(true)}
      />
      {length !== undefined && !started && (
        <span className={styles['length']}>
          <VideoCameraOutlined aria-hidden /> {formatSeconds(length)}
        </span>
      )}
    </span>
  )
}

const rates = [1, 1.5, 2] as const

/** A voice message or other sound: a button, how far it is, and how fast it plays. */
export function Sound({ url, voice }: { url: string; voice: boolean }) {
  const audio = useRef<HTMLAudioElement>(null)
  const [playing, setPlaying] = useState(false)
  const [length, setLength] = useState<number>()
  const [at, setAt] = useState(0)
  const [rate, setRate] = useState<number>(1)
  const [broken, setBroken] = useState(false)
  const name = voice ? 'Voice message' : 'Audio'
  if (broken) return <MessageCard icon={<AudioOutlined />} title={name} detail="Could not be played here" url={url} />
  const toggle = () => {
    if (playing) audio.current?.pause()
    else void audio.current?.play().catch(() => setBroken(true))
  }
  const next = () => {
    const faster = rates.find((candidate) => candidate > rate) ?? rates[0]
    setRate(faster)
    if (audio.current) audio.current.playbackRate = faster
  }
  return (
    <fieldset className={styles['sound']} aria-label={name}>
      {/* biome-ignore lint/a11y/useMediaCaption: what a customer says has none. */}
      <audio
        ref={audio}
        src={url}
        preload="metadata"
        onLoadedMetadata={({ currentTarget }) => setLength(known(currentTarget.duration))}
        onDurationChange={({ currentTarget }) => setLength(known(currentTarget.duration))}
        onTimeUpdate={({ currentTarget }) => setAt(currentTarget.currentTime)}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setAt(0)}
        onError={() => setBroken(true)}
      />
      <IconButton label={`${playing ? 'Pause' : 'Play'} ${name.toLowerCase()}`} onClick={toggle}>
        {playing ? <PauseOutlined aria-hidden /> : <CaretRightOutlined aria-hidden />}
      </IconButton>
      <input
        type="range"
        aria-label="Position"
        aria-valuetext={`${formatSeconds(at)} of ${length === undefined ? 'an unknown length' : formatSeconds(length)}`}
        min={0}
        max={length ?? 1}
        step={0.1}
        value={length === undefined ? 0 : Math.min(at, length)}
        disabled={length === undefined}
        onChange={({ target }) => {
          setAt(Number(target.value))
          if (audio.current) audio.current.currentTime = Number(target.value)
        }}
      />
      <span className={styles['time']}>
        {playing || at > 0 ? formatSeconds(at) : length === undefined ? '' : formatSeconds(length)}
      </span>
      {playing || rate !== 1 ? (
        <button type="button" className={styles['rate']} aria-label={`Speed: ${rate} times`} onClick={next}>
          {rate}×
        </button>
      ) : (
        <span className={styles['kind']} aria-hidden>
          {voice ? <AudioOutlined /> : <CustomerServiceOutlined />}
        </span>
      )}
    </fieldset>
  )
}

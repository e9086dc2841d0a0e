import { useCallback, useEffect, useState } from 'react'
import { type DemoState, demoAfter, script } from './demo-script.ts'

export interface Demo {
  readonly state: DemoState
  readonly playing: boolean
  readonly finished: boolean
  /** Plays the story from its start. */
  readonly replay: () => void
  /** Stops, or continues where it stopped. */
  readonly toggle: () => void
}

/** Events shown before the story plays by itself: enough to show what the product is. */
const openingBeats = 5

/**
 * The clock of the miniature. It plays once by itself; for a visitor who prefers reduced motion it shows the end of the
 * story and moves only when asked to.
 */
export function useDemo(): Demo {
  const [still] = useState(() => window.matchMedia('(prefers-reduced-motion: reduce)').matches)
  const [beats, setBeats] = useState(still ? script.length : openingBeats)
  const [playing, setPlaying] = useState(!still)
  const finished = beats >= script.length

  useEffect(() => {
    const next = script[beats]
    if (!playing || !next) return
    const timer = setTimeout(() => setBeats(beats + 1), next.afterMs)
    return () => clearTimeout(timer)
  }, [playing, beats])

  const replay = useCallback(() => {
    setBeats(0)
    setPlaying(true)
  }, [])
  const toggle = useCallback(() => {
    if (finished) replay()
    else setPlaying((current) => !current)
  }, [finished, replay])

  return { state: demoAfter(beats), playing: playing && !finished, finished, replay, toggle }
}

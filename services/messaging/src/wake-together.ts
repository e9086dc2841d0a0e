import type { Lanes } from '@parley/service-kit/queue/lanes'

/** One wake-up at a time for all lanes that got work meanwhile: one for each change would cost as much as storing it. */
export function wakeTogether(lanes: Pick<Lanes, 'wake'>, pauseMs: number): (lanes: Iterable<number>) => void {
  const dirty = new Set<number>()
  let waking = false

  function flush(): void {
    if (waking || dirty.size === 0) return
    waking = true
    setTimeout(async () => {
      const woken = [...dirty]
      dirty.clear()
      await lanes.wake(woken)
      waking = false
      flush()
    }, pauseMs).unref()
  }

  return (more) => {
    for (const lane of more) dirty.add(lane)
    flush()
  }
}

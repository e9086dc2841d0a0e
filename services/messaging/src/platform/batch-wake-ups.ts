import { setTimeout as pause } from 'node:timers/promises'
import type { Lanes } from '@parley/service-kit/queue/lanes'

/**
 * Wakes lanes at once, then every `pauseMs` all lanes that got work meanwhile: a wake-up for each change would cost as much as
 * storing it.
 */
export function batchWakeUps(lanes: Pick<Lanes, 'wake'>, pauseMs: number): (lanes: Iterable<number>) => void {
  const dirty = new Set<number>()
  let waking = false

  async function flush(): Promise<void> {
    if (waking) return
    waking = true
    while (dirty.size > 0) {
      const woken = [...dirty]
      dirty.clear()
      await lanes.wake(woken)
      await pause(pauseMs, undefined, { ref: false })
    }
    waking = false
  }

  return (more) => {
    for (const lane of more) dirty.add(lane)
    void flush()
  }
}

/** What a part of the answer reads: whether it answers, and whether it ever did. */
interface PartState {
  readonly ok: boolean
}

export interface Readiness {
  check(): Promise<{ ready: boolean; parts: Record<string, PartState> }>
  /** From now on the process takes no new work. */
  drain(): void
}

/** Every answer asks all parts, and anybody may ask for one: good news is told again for as long as this. */
const newsMs = 1000

interface Answer {
  readonly started: boolean
  readonly healthy: boolean
  readonly parts: Record<string, PartState>
}

/**
 * Ready once each part has answered once since start. After that only the essential ones count: a service that is away
 * for a while is a degraded answer, not a reason to take the whole page down.
 * @param probes resolve to whether the part answers; they may reject.
 */
export function createReadiness(
  probes: Record<string, () => Promise<boolean>>,
  essential: readonly string[],
): Readiness {
  const answered = new Set<string>()
  let draining = false

  let news: { readonly answer: Promise<Answer>; until: number } | undefined

  async function check() {
    if (!news || news.until < Date.now()) {
      const current = { answer: ask(), until: Number.POSITIVE_INFINITY }
      news = current
      const { started, healthy } = await current.answer
      current.until = started && healthy ? Date.now() + newsMs : 0
    }
    const { started, healthy, parts } = await news.answer
    return { ready: started && healthy && !draining, parts }
  }

  async function ask(): Promise<Answer> {
    const states = await Promise.all(
      Object.entries(probes).map(async ([name, probe]) => {
        const ok = await probe().catch(() => false)
        if (ok) answered.add(name)
        return [name, { ok }] as const
      }),
    )
    const parts: Record<string, PartState> = Object.fromEntries(states)
    const started = Object.keys(probes).every((name) => answered.has(name))
    return { started, healthy: essential.every((name) => parts[name]?.ok), parts }
  }
  return {
    check,
    drain: () => {
      draining = true
    },
  }
}

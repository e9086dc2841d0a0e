import { describeRetry, type Retry } from '@parley/service-kit/core/keep-reaching'
import { shareAnswer } from '@parley/service-kit/core/share-answer'

/** State of a component: whether it is healthy; if it never was, how often it was tried and when it is tried next. */
interface PartState extends Partial<ReturnType<typeof describeRetry>> {
  readonly ok: boolean
  /** True where it answers and refuses writes: reads continue. */
  readonly readOnly?: true
}

export interface Readiness {
  check(): Promise<{ ready: boolean; parts: Record<string, PartState> }>
  /** Makes the process unready: it gets no new work. */
  drain(): void
}

/** Milliseconds for which an answer is kept: every check asks all components, and anybody may cause one. A recovery is seen sooner. */
const keptMs = { healthy: 1000, ill: 250 }

interface Result {
  readonly started: boolean
  readonly healthy: boolean
  readonly parts: Record<string, PartState>
}

/**
 * Ready once each component has been healthy once since start. After that only the essential ones count: a service that is away
 * for a while is a degraded answer, not a reason to take the whole page down.
 * @param probes resolve to whether the component is healthy; they may reject.
 * @param retryOf the attempts to reach a component that was never reached.
 */
export function createReadiness(
  probes: Record<string, () => Promise<boolean | 'read-only'>>,
  essential: readonly string[],
  retryOf: (part: string) => Retry | undefined = () => undefined,
): Readiness {
  const answered = new Set<string>()
  let draining = false

  const latest = shareAnswer(checkAll, ({ started, healthy }) => (started && healthy ? keptMs.healthy : keptMs.ill))

  async function check() {
    const { started, healthy, parts } = await latest()
    return { ready: started && healthy && !draining, parts }
  }

  async function checkAll(): Promise<Result> {
    const states = await Promise.all(
      Object.entries(probes).map(async ([name, probe]) => {
        const ok = await probe().catch(() => false)
        if (ok) answered.add(name)
        return [name, stateOf(ok, retryOf(name))] as const
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

function stateOf(ok: boolean | 'read-only', retry: Retry | undefined): PartState {
  if (ok === 'read-only') return { ok: true, readOnly: true }
  return { ok, ...(!ok && retry && describeRetry(retry)) }
}

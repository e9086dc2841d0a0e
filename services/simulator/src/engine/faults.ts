import { type GraphCode, GraphError } from '../graph/graph-error.ts'

/** An error that is answered although the call is right. */
export interface Injection {
  readonly id: string
  /** Kind of call that it affects: a message, or a template that is created or edited. */
  readonly call: 'message' | 'template'
  /** Number whose sends it affects; absent: all. */
  readonly numberId?: string | undefined
  /** Recipient (digits) that it affects; absent: all. */
  readonly to?: string | undefined
  readonly trigger: { readonly kind: 'always' } | { readonly kind: 'next' | 'every'; readonly count: number }
  /** `hang` accepts after `ms`; `reset` accepts and cuts the connection; `not_json` is a 500 without JSON; a code is answered. */
  readonly effect:
    | { readonly kind: 'error'; readonly code: GraphCode | 190 }
    | { readonly kind: 'hang'; readonly ms: number }
    | { readonly kind: 'reset' | 'not_json' }
}

/** Outcome of a send. */
export type Effect = Injection['effect']

/** Effects that the last six digits of a recipient stand for. */
const bySuffix: Record<string, (attempt: number) => Effect | undefined> = {
  '429001': (attempt) => (attempt <= 2 ? { kind: 'error', code: 130429 } : undefined),
  '131056': () => ({ kind: 'error', code: 131056 }),
  '500001': () => ({ kind: 'not_json' }),
  '500002': () => ({ kind: 'hang', ms: 35_000 }),
  '500003': () => ({ kind: 'reset' }),
  '190000': () => ({ kind: 'error', code: 190 }),
  '368000': () => ({ kind: 'error', code: 368 }),
}

/** Codes with which a message fails after it was accepted, by the same digits. */
const failures: Record<string, { code: number; attempts?: number; mediaOnly?: boolean; stops?: boolean }> = {
  '131026': { code: 131026 },
  '131047': { code: 131047 },
  '131049': { code: 131049 },
  '131050': { code: 131050, stops: true },
  '130472': { code: 130472 },
  '131053': { code: 131053, mediaOnly: true },
  '131042': { code: 131042 },
  '131000': { code: 131000, attempts: 1 },
}

export function createFaults() {
  const injections = new Map<string, { injection: Injection; seen: number }>()
  const attempts = new Map<string, number>()

  /** @returns the effect of an injection or a magic recipient on this send, if any. */
  function effectOf(numberId: string, to: string): Effect | undefined {
    const injected = consume(
      (injection) =>
        injection.call === 'message' &&
        (injection.numberId === undefined || injection.numberId === numberId) &&
        (injection.to === undefined || injection.to === to),
    )
    return injected ?? bySuffix[to.slice(-6)]?.(countAttempt(`sync/${numberId}/${to}`))
  }

  /** @returns the effect of an injection on a template that is created or edited. */
  const effectOnTemplate = (): Effect | undefined => consume(({ call }) => call === 'template')

  function consume(fits: (injection: Injection) => boolean): Effect | undefined {
    for (const [id, entry] of injections) {
      const { injection } = entry
      if (!fits(injection)) continue
      entry.seen += 1
      const { trigger } = injection
      if (trigger.kind === 'next' && entry.seen >= trigger.count) injections.delete(id)
      if (trigger.kind !== 'every' || entry.seen % trigger.count === 0) return injection.effect
    }
    return undefined
  }

  /** @returns the code with which an accepted message to this recipient fails. */
  function failureOf(numberId: string, to: string, isMedia: boolean): { code: number; stops: boolean } | undefined {
    const failure = failures[to.slice(-6)]
    if (!failure || (failure.mediaOnly && !isMedia)) return undefined
    if (failure.attempts !== undefined && countAttempt(`failed/${numberId}/${to}`) > failure.attempts) return undefined
    return { code: failure.code, stops: failure.stops === true }
  }

  function countAttempt(key: string): number {
    const count = (attempts.get(key) ?? 0) + 1
    attempts.set(key, count)
    return count
  }

  return {
    effectOf,
    effectOnTemplate,
    failureOf,
    inject: (injection: Injection) => injections.set(injection.id, { injection, seen: 0 }),
    remove: (id: string) => injections.delete(id),
    list: () => [...injections.values()].map(({ injection }) => injection),
    reset: () => {
      injections.clear()
      attempts.clear()
    },
  }
}
export type Faults = ReturnType<typeof createFaults>

/** @throws the error of an injection. */
export function throwInjected(code: GraphCode | 190): never {
  if (code === 190) {
    throw new GraphError(190, {
      status: 401,
      subcode: 463,
      message: 'Error validating access token: Session has expired.',
    })
  }
  throw new GraphError(code, code === 130429 ? { retryAfterSeconds: 1 } : {})
}

import type { SampleAnswer } from './answer.ts'

interface SampleDomain {
  readonly answers: readonly SampleAnswer[]
}

/**
 * The domains that have no service yet, by the first part of their operations' names, and what answers them. A domain goes
 * live by deleting its line here and its answers; screen tests get theirs from a handler in `testing/workspace`.
 */
export const sampleDomains: Readonly<Record<string, () => Promise<SampleDomain>>> = {
  workflows: () => import('./domains/workflows.ts'),
}

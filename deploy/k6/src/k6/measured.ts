import { group } from 'k6'
import { Counter, Rate, Trend } from 'k6/metrics'
import type { Operation } from '../scenarios.ts'
import { Unexpected } from './answers.ts'

const duration = new Trend('operation_duration', true)
const failed = new Rate('operation_failed')
const limited = new Rate('operation_limited')
const done = new Counter('operations_done')
const threw = new Rate('iteration_threw')

const maxWarnings = 3
let warned = 0

/**
 * Does one operation as a group of its own, and measures it as a whole. A refusal by the rate limiter (429) counts apart:
 * it says nothing about the operation.
 * @returns `undefined` where it failed.
 */
export function measured<T>(operation: Operation, work: () => T): { readonly value: T } | undefined {
  return group(operation, () => {
    const startedAt = Date.now()
    const tags = { operation }
    try {
      const value = work()
      duration.add(Date.now() - startedAt, tags)
      done.add(1, tags)
      failed.add(false, tags)
      limited.add(false)
      return { value }
    } catch (error) {
      const isLimited = error instanceof Unexpected && error.status === 429
      limited.add(isLimited)
      if (!isLimited) failed.add(true, tags)
      if (warned++ < maxWarnings)
        console.warn(`${operation}: ${error instanceof Error ? error.message : String(error)}`)
      return undefined
    }
  })
}

/** Runs an iteration, and counts one that throws: k6 itself tells those from the others in its log alone. */
export function counted(iteration: () => void): void {
  try {
    iteration()
    threw.add(false)
  } catch (error) {
    threw.add(true)
    throw error
  }
}

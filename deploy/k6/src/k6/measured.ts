import { group } from 'k6'
import exec from 'k6/execution'
import { Counter, Rate, Trend } from 'k6/metrics'
import { failureKind, metricNames, type Operation, slotAt } from '../shapes.ts'
import { Unexpected } from './answers.ts'

const duration = new Trend(metricNames.duration, true)
const failed = new Rate(metricNames.failed)
const limited = new Rate(metricNames.limited)
const failures = new Counter(metricNames.byStatus)

const mostWarnings = 3
let warned = 0

/**
 * Does one operation as a group of its own, and measures it as a whole. A refusal by the rate limiter (429) counts apart:
 * it says nothing about the operation.
 * @param lengthSeconds of the run, for the charts over time.
 * @returns `undefined` where it failed.
 */
export function measured<T>(
  operation: Operation,
  lengthSeconds: number,
  work: () => T,
): { readonly value: T } | undefined {
  return group(operation, () => {
    const startedAt = Date.now()
    const slot = slotAt((startedAt - exec.scenario.startTime) / (lengthSeconds * 1000))
    const tags = { operation, slot }
    try {
      const value = work()
      duration.add(Date.now() - startedAt, tags)
      failed.add(false, tags)
      limited.add(false, tags)
      return { value }
    } catch (error) {
      const status = error instanceof Unexpected ? error.status : undefined
      limited.add(status === 429, tags)
      if (status !== 429) {
        failed.add(true, tags)
        failures.add(1, { operation, status: failureKind(status) })
        if (warned++ < mostWarnings)
          console.warn(`${operation}: ${error instanceof Error ? error.message : String(error)}`)
      }
      return undefined
    }
  })
}

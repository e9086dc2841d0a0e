import { expect, test } from 'vitest'
import { operations, planOf, type ShapeName, shapeNames, shapes, thresholdsOf } from './shapes.ts'

const names = shapeNames as ShapeName[]

test.each(names)('%s limits latency and errors of every operation', (name) => {
  const thresholds = thresholdsOf(name)
  for (const operation of operations) {
    expect(thresholds[`operation_duration{operation:${operation}}`]).toHaveLength(2)
    expect(thresholds[`operation_failed{operation:${operation}}`]).toHaveLength(1)
  }
  expect(thresholds['operation_limited']).toEqual(['rate<0.01'])
  expect(thresholds['iterations{scenario:journeys}']).toEqual(['count>0'])
})

test.each(names)('%s has room for its peak', (name) => {
  const peak = shapes[name].baseRate * Math.max(...shapes[name].stages.map(({ factor }) => factor))
  const { parallel, scenarios } = planOf(name)
  expect(parallel).toBeGreaterThanOrEqual(peak * 5)
  expect(scenarios.journeys.maxVUs).toBe(parallel)
})

test('a rate is told in whole journeys a minute', () => {
  const { journeys } = planOf('stress', 0.25).scenarios
  expect(journeys.stages.map(({ target }) => target)).toEqual([15, 15, 30, 30, 45, 45, 60, 60])
})

test('many journeys share accounts, and kept sessions have their own', () => {
  expect(planOf('spike', 10).accounts).toBe(100 + shapes.spike.keptSessions)
  expect(planOf('smoke').accounts).toBe(10 + shapes.smoke.keptSessions)
})

test('a slow machine is given more time, never more errors', () => {
  const patient = thresholdsOf('smoke', 3)
  expect(patient['operation_duration{operation:GET user}']).toEqual(['p(95)<600', 'p(99)<1500'])
  expect(patient['operation_failed{operation:GET user}']).toEqual(['rate==0'])
})

import { expect, test } from 'vitest'
import { readScenarios } from './scenarios.ts'

test('RATE multiplies journeys, THRESHOLD_FACTOR gives more time and never more errors', () => {
  const { scenarios, thresholds } = readScenarios({ RATE: '0.5', THRESHOLD_FACTOR: '3' })
  expect(scenarios.journeys).toMatchObject({ timeUnit: '2000ms', stages: [{ duration: '20s', target: 1 }] })
  expect(thresholds['operation_duration{operation:GET user}']).toEqual(['p(95)<600', 'p(99)<1500'])
  expect(thresholds['operation_failed{operation:GET user}']).toEqual(['rate==0'])
  expect(readScenarios({ SHAPE: 'spike', RATE: '10' }).accounts).toBe(105)
})

test.each([
  [{ SHAPE: 'hurricane' }, 'must be one of smoke, average, stress, spike, soak'],
  [{ RATE: '-1' }, 'RATE is -1'],
  [{ THRESHOLD_FACTOR: 'many' }, 'THRESHOLD_FACTOR is many'],
])('%o is refused by a sentence', (env, sentence) => {
  expect(() => readScenarios(env)).toThrow(sentence)
})

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

test('what threw, what was dropped and what was never done keeps no limit', () => {
  const { thresholds } = readScenarios({ SHAPE: 'average', SIMULATOR: 'http://localhost:3004' })
  expect(thresholds['iteration_threw']).toEqual(['rate==0'])
  // 30 s of 3 a second, 300 s of the same, 30 s down to none: 1,035 journeys, of which one in a hundred.
  expect(thresholds['dropped_iterations']).toEqual(['count<11'])
  for (const operation of ['password sign-in', 'code flow', 'GET user', 'message in'])
    expect(thresholds[`operations_done{operation:${operation}}`]).toEqual(['count>0'])
  const small = readScenarios({ RATE: '0.1' }).thresholds
  expect(small['dropped_iterations']).toEqual(['count<1'])
  expect(small['operations_done{operation:code flow}']).toBeUndefined()
  expect(small['operations_done{operation:inbox}']).toBeUndefined()
})

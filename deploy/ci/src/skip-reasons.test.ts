import { expect, test } from 'vitest'
import { skipReasons } from './skip-reasons.ts'

const spec = (...annotations: { type: string; description?: string }[]) => ({ tests: [{ annotations }] })

test('reasons are found at every depth, and each is told once', () => {
  const report = {
    suites: [
      {
        specs: [spec(), spec({ type: 'skip', description: 'no printer' })],
        suites: [
          {
            specs: [
              spec({ type: 'skip', description: 'no printer' }),
              spec({ type: 'skip', description: 'no paper' }),
              spec({ type: 'slow', description: 'takes long' }),
              spec({ type: 'skip' }),
            ],
          },
        ],
      },
    ],
  }
  expect(skipReasons(report)).toEqual(['no printer', 'no paper'])
})

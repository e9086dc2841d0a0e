import type { Run } from '@parley/contracts/automation/runs'
import { expect, test } from 'vitest'
import { labelOf } from './run-labels.ts'

const ended = (outcome: Run['outcome'], reason?: string) =>
  labelOf({ status: 'ended', outcome, ...(reason && { reason }) } as Run)

test('a run that was ended says why, and no member is named who had no part in it', () => {
  expect(ended('cancelled', 'The customer has opted out.')).toBe('Ended: the customer has opted out')
  expect(ended('cancelled', 'A colleague has ended it.')).toBe('Ended: a colleague has ended it')
  expect(ended('cancelled')).toBe('Ended early')
  expect(ended('failed', 'The template is paused.')).toBe('Failed')
})

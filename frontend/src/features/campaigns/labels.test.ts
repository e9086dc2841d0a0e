import { expect, test } from 'vitest'
import { hoursLabels, limitWarning, waitLabels } from './labels.ts'

test.each([
  [10_000, null],
  [250, 250],
  [0, 0],
])('%i customers are within a limit of %s', (reachable, limit) =>
  expect(limitWarning(reachable, limit)).toBeUndefined(),
)

test('what is beyond the limit is said with both figures', () =>
  expect(limitWarning(2_001, 2_000)).toMatch(
    /conversations with 2,000 customers in 24 hours, and this campaign is for 2,001/,
  ))

test('what a campaign waits for is said, and when it goes on', () => {
  const waitsUntil = '2026-03-15T03:30:00.000Z'
  expect(waitLabels({}, 'UTC')).toBeUndefined()
  expect(waitLabels({ waitsUntil }, 'UTC')).toMatch(
    /^It is outside of your sending hours for the remaining recipients\. It resumes automatically on Sun, /,
  )
  expect(waitLabels({ waitsUntil, waitsFor: 'limit' }, 'UTC')).toMatch(/^WhatsApp’s limit .* used up .* on Sun, /)
})

test('hours are those of each recipient', () =>
  expect(hoursLabels({ opens: '09:00', closes: '20:30' }, 'en-GB')).toBe('9:00 to 20:30 in each recipient’s time zone'))

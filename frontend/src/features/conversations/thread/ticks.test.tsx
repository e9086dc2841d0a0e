import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Ticks } from './ticks.tsx'

test.each([
  ['sent', 'Sent', 1],
  ['delivered', 'Delivered', 2],
  ['read', 'Read', 2],
] as const)('%s has a name and its number of ticks', (status, name, count) => {
  render(<Ticks status={status} />)
  const ticks = screen.getByRole('img', { name })
  expect(ticks.querySelectorAll('path')).toHaveLength(count)
  expect(ticks.dataset['status']).toBe(status)
})

test('what is not on its way, or did not arrive, shows no tick', () => {
  render(
    <>
      <Ticks status="queued" />
      <Ticks status="failed" />
    </>,
  )
  expect(screen.getByRole('img', { name: 'Sending' }).querySelector('svg[viewBox="0 0 18 12"]')).toBeNull()
  expect(screen.getByRole('img', { name: 'Not delivered' }).querySelector('svg[viewBox="0 0 18 12"]')).toBeNull()
})

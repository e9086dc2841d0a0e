import { act, fireEvent, render, screen } from '@testing-library/react'
import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { useUrlState } from '../lib/url-state.ts'

function Here() {
  const [, change] = useUrlState({ q: z.string().optional() })
  return (
    <>
      <button type="button" onClick={() => change({ q: 'tidy' }, { replace: true })}>
        Tidy
      </button>
      <button type="button" onClick={() => change({ q: 'stay' })}>
        Stay
      </button>
    </>
  )
}

test.each([
  ['Tidy', '/there', true],
  ['Stay', '/here?q=stay', true],
  // A machine that is busy renders later than it navigates.
  ['Tidy', '/there', false],
])('on the way to a screen that still loads, "%s" leads to %s (seen by this one: %s)', async (press, end, isSeen) => {
  window.history.replaceState(null, '', '/here')
  const loaded = Promise.withResolvers<{ Component: () => string }>()
  const router = createBrowserRouter([
    { path: '/here', Component: Here },
    { path: '/there', lazy: () => loaded.promise },
  ])
  render(<RouterProvider router={router} />)
  fireEvent.click(screen.getByRole('button', { name: 'Tidy' }))
  await act(() => Promise.resolve())
  expect(window.location.search).toBe('?q=tidy')

  const button = screen.getByRole('button', { name: press })
  await act(async () => {
    void router.navigate('/there')
    if (!isSeen) button.click()
  })
  if (isSeen) fireEvent.click(button)
  await act(async () => loaded.resolve({ Component: () => 'There' }))
  expect(window.location.pathname + window.location.search).toBe(end)
  router.dispose()
})

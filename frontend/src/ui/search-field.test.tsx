import { act, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SearchField } from './search-field.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const field = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search contacts' })
const type = (text: string) => fireEvent.change(field(), { target: { value: text } })
const pause = () => act(() => vi.advanceTimersByTime(250))

/** An address that changes a while after it was asked to, as the router does. */
function Screen({ asked, back }: { asked: ((text: string) => void)[]; back: string }) {
  const [value, setValue] = useState('')
  return (
    <>
      <SearchField label="Search contacts" value={value} onSearch={(text) => void asked.push(() => setValue(text))} />
      <button type="button" onClick={() => setValue(back)}>
        Back
      </button>
    </>
  )
}

test('a letter typed while a search is under way stays and is searched for', () => {
  const asked: ((text: string) => void)[] = []
  render(<Screen asked={asked} back="" />)
  type('an')
  pause()
  expect(asked).toHaveLength(1)
  type('ann')
  act(() => asked[0]?.(''))
  expect(field().value).toBe('ann')
  pause()
  expect(asked).toHaveLength(2)
  act(() => asked[1]?.(''))
  expect(field().value).toBe('ann')
})

test('two searches under way at once leave what was typed last', () => {
  const asked: ((text: string) => void)[] = []
  render(<Screen asked={asked} back="" />)
  type('a')
  pause()
  type('ab')
  pause()
  act(() => asked[0]?.(''))
  act(() => asked[1]?.(''))
  expect(field().value).toBe('ab')
})

test('an address that changes by itself shows in the field', () => {
  const asked: ((text: string) => void)[] = []
  render(<Screen asked={asked} back="before" />)
  type('an')
  pause()
  act(() => asked[0]?.(''))
  fireEvent.click(screen.getByRole('button', { name: 'Back' }))
  expect(field().value).toBe('before')
})

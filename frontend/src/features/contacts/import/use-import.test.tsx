import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import { createElement, type ReactNode } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../../lib/api.ts'
import { importRows } from '../api.ts'
import { readBatches, readHead } from './file-reader.ts'
import { useImport } from './use-import.ts'

vi.mock('./file-reader.ts')
vi.mock('../api.ts', async (original) => ({ ...(await original<object>()), importRows: vi.fn() }))

const client = new QueryClient()
const wrapper = ({ children }: { children: ReactNode }) => createElement(QueryClientProvider, { client }, children)

beforeEach(() => {
  vi.mocked(readHead).mockResolvedValue({
    encoding: 'utf-8',
    delimiter: ',',
    withHeader: true,
    head: [['name', 'phone']],
  })
  vi.mocked(readBatches).mockImplementation((_request, onBatch) =>
    onBatch({
      rows: [{ line: 2, name: 'Asha', phone: '+919876543210', tags: [], attributes: {} }],
      problems: [],
      bytes: 10,
    }),
  )
})

/** What the page says after the check of a file whose rows the server answers with `failure`. */
async function problemAfter(failure: unknown) {
  vi.mocked(importRows).mockRejectedValue(failure)
  const { result } = renderHook(useImport, { wrapper })
  await act(() => result.current.choose(new File(['x'], 'contacts.csv')))
  await act(() => result.current.check())
  return result.current.step
}

test('a refusal of the server reads as the server words it', async () => {
  const refusal = JSON.stringify({ code: 'forbidden', message: 'Your role cannot import contacts.' })
  expect(await problemAfter(new ApiError(403, 'Forbidden', refusal))).toEqual({
    kind: 'map',
    problem: 'Your role cannot import contacts. Nothing was imported. Try again.',
  })
})

test('only a lost connection is called one', async () => {
  expect(await problemAfter(new TypeError('Failed to fetch'))).toEqual({
    kind: 'map',
    problem: 'The connection was lost. Nothing was imported. Try again.',
  })
})
